import type { ParameterOrigin } from '../../../parameters/describe/parameter-message.ts'
import { type ValuePath, unescaped } from '@wadi/params/values/set-name.ts'
import type { CollectionNode, ScalarNode, ValueNode } from './value-node.ts'

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

function scalar(text: string, allText: boolean, origin: ParameterOrigin): ScalarNode {
  return { kind: 'scalar', text, type: allText ? 'string' : typeOf(text), origin }
}

/** Helm's `--set` knows no floats, and takes digits after a zero for text. */
function typeOf(text: string): ScalarNode['type'] {
  if (/^(true|false)$/i.test(text)) return 'boolean'
  if (/^null$/i.test(text)) return 'null'
  return /^([1-9]\d{0,18}|[-+]\d{1,19}|0)$/.test(text) ? 'number' : 'string'
}
