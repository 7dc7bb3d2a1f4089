import type { ParameterOrigin } from '../../../parameters/describe/parameter-message.ts'
import type { CollectionNode, ScalarNode, ValueNode } from './value-node.ts'

/** Keys and list positions that lead to a value. */
export type ValuePath = readonly (string | number)[]

/** Helm's own limits for one name: list positions up to here, and so many keys inside one another. */
const maxIndex = 65_536
const deepestName = 30

/** Writes the path of a value as Helm's `--set` takes it: `image.tag`, `hosts[0]`, `annotations.example\.com/a`. */
export function setName(path: ValuePath): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    const key = step.replaceAll(/[\\.[\],=]/g, String.raw`\$&`)
    return name === '' ? key : `${name}.${key}`
  }, '')
}

/** Reads a name of Helm's `--set`; undefined for one that is malformed or names several values. */
export function parseSetName(name: string): ValuePath | undefined {
  const path: (string | number)[] = []
  let rest = name
  for (;;) {
    const [key = ''] = /^(?:\\[^]|[^\\.[\],=])*/.exec(rest) ?? []
    if (key === '' || path.length > deepestName) return undefined
    path.push(unescaped(key))
    rest = rest.slice(key.length)
    for (let index; (index = /^\[(\d{1,5})\]/.exec(rest)) !== null; rest = rest.slice(index[0].length)) {
      path.push(Number(index[1]))
    }
    if (path.some((step) => typeof step === 'number' && step > maxIndex)) return undefined
    if (rest === '') return path
    if (!rest.startsWith('.')) return undefined
    rest = rest.slice(1)
  }
}

/** Reads the value of `--set`, or of `--set-string` when all is text: braces make a list. */
export function parseSetValue(value: string, allText: boolean, origin: ParameterOrigin): ValueNode {
  if (!value.startsWith('{') || !value.endsWith('}')) return scalar(unescaped(value), allText, origin)
  const items = value.slice(1, -1).split(/(?<!\\),/)
  const children = items.map((item, index): [number, ValueNode] => [
    index,
    scalar(unescaped(item), allText, origin),
  ])
  return { kind: 'list', children: new Map(children), origin }
}

/** The values with another one at a path; what is not a collection on the way gives way to one. */
export function withValue(values: ValueNode | undefined, path: ValuePath, value: ValueNode): ValueNode {
  const [step, ...rest] = path
  if (step === undefined) return value
  const kind: CollectionNode['kind'] = typeof step === 'number' ? 'list' : 'map'
  const children = new Map(values?.kind === kind ? values.children : [])
  children.set(step, withValue(children.get(step), rest, value))
  return { kind, children, origin: value.origin }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, '$1')
}

function scalar(text: string, allText: boolean, origin: ParameterOrigin): ScalarNode {
  return { kind: 'scalar', text, type: allText ? 'string' : typeOf(text), origin }
}

/** Helm's `--set` knows no floats, and takes digits after a zero for text. */
function typeOf(text: string): ScalarNode['type'] {
  if (/^(true|false)$/i.test(text)) return 'boolean'
  if (/^null$/i.test(text)) return 'null'
  return /^([1-9]\d{0,18}|[-+]\d{1,19}|0)$/.test(text) ? 'number' : 'string'
}
