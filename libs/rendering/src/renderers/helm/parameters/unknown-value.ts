import { jsonText } from '@wadi/params/values/value-json.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { type ChartWithValues, readChartTree } from './chart-defaults.ts'
import { readChartTexts } from './chart-texts.ts'
import { pathOfQualifiedKey, pathWithDots } from './dotted-keys.ts'
import { type ValuePath, parseSetName, setName } from '@wadi/params/values/set-name.ts'
import type { KnownValues } from './known-values.ts'
import { schemaAllows } from './schema-allows.ts'
import { readOf } from './template-reads.ts'
import { valueAt } from './value-steps.ts'

/** Most values that are looked at and most names that are offered. */
const maxLooked = 20_000
const maxNear = 5

/** Errors, and possible ones, in the names that values are given by. */
export interface UnknownValues {
  /** Of names that are almost one of the chart's. */
  readonly problems: readonly string[]
  /** Of names that the chart seems to have no use for. */
  readonly warnings: readonly string[]
}

/**
 * Finds the names that the chart at a path does not have among its values. One that a template reads, or may read in a way that is not
 * followed here, is not one of them.
 */
export async function unknownValues(
  tree: FileTree,
  chart: string,
  known: KnownValues,
  names: readonly string[],
): Promise<UnknownValues> {
  const problems: string[] = []
  const warnings: string[] = []
  const paths = new Map(names.flatMap((name) => asEntry(name, parseSetName(name))))
  for (const [name, path] of paths) {
    if (valueAt(known.seen, path) !== undefined) continue
    const there = pathWithDots(known.seen, path)
    const meant = there ?? pathOfQualifiedKey(known.seen, path)
    if (meant === undefined) continue
    const text = `${name}: each dot ends a key; write one in a key as "\\.", as in ${setName(meant)}`
    if (there === undefined) warnings.push(text)
    else problems.push(text)
    paths.delete(name)
  }
  const unknown = [...paths].filter(([, path]) => !isKnown(known, path))
  if (unknown.length === 0) return { problems, warnings }
  const { root, unread } = await readChartTree(tree, chart)
  const texts = await readChartTexts(tree, root)
  const isLeftOpen = !texts.areAll || unread.length > 0
  // Values may be templates too, for charts that call tpl.
  const given = jsonText(known.seen).replaceAll('\\"', '"')
  for (const [name, path] of unknown) {
    const read = readOf([...texts.templates, given], unknownKeys(known.defaults, path))
    if (read === 'read') continue
    const near = nearNames(known.defaults, path, read === 'within')
    if (near.length > 0)
      problems.push(`${name}: the chart has no such value; did you mean ${near.join(', ')}?`)
    else if (read === 'no' && !isLeftOpen && !isNamedOutside(root, texts.named, path)) {
      warnings.push(
        `${name}: the chart has no such value and no template reads one, so it changes nothing; correct or remove it`,
      )
    }
  }
  return { problems, warnings }
}

function asEntry(name: string, path: ValuePath | undefined): [string, ValuePath][] {
  return path === undefined ? [] : [[name, path]]
}

/** The keys of a path down to the first that the chart does not have. */
function unknownKeys(defaults: Value, path: ValuePath): string[] {
  const depth = path.findIndex((_, index) => valueAt(defaults, path.slice(0, index + 1)) === undefined)
  return path.slice(0, depth + 1).map(String)
}

/** Returns whether Helm itself reads a value, or a subchart does. */
function isNamedOutside({ subcharts }: ChartWithValues, named: readonly string[], path: ValuePath): boolean {
  const [first = ''] = path
  const name = setName(path)
  const isAround = (other: string): boolean =>
    other === name || other.startsWith(`${name}.`) || name.startsWith(`${other}.`)
  return first === 'tags' || subcharts.some((chart) => chart.name === first) || named.some(isAround)
}

/** Returns whether the chart or its source has the value, or something around it in which anything may stand. */
function isKnown({ defaults, base, schema, unread }: KnownValues, path: ValuePath): boolean {
  if (valueAt(base, path) !== undefined || path[0] === 'global' || unread.includes(String(path[0])))
    return true
  for (const depth of path.keys()) {
    const above = valueAt(defaults, path.slice(0, depth))
    if (!isValueMap(above) || (depth > 0 && above.size === 0)) return true
    if (valueAt(defaults, path.slice(0, depth + 1)) === undefined) return schemaAllows(schema, path)
  }
  return true
}

/**
 * Names of the chart's values with a key that is written almost alike, or with the same last key elsewhere.
 * @param isWithin whether the value is in an object that templates go through, so that the same key elsewhere says nothing
 */
function nearNames(defaults: Value, path: ValuePath, isWithin: boolean): string[] {
  const near: string[] = []
  const last = path.at(-1)
  let looked = 0
  const visit = (value: Value, above: ValuePath): void => {
    for (const [key, below] of isValueMap(value) ? value : []) {
      if ((looked += 1) > maxLooked || near.length === maxNear) return
      const here = [...above, key]
      const isElsewhere = !isWithin && key === last && here.length !== path.length && !isValueMap(below)
      if (isElsewhere || isAlmost(here, path)) near.push(setName(here))
      visit(below, here)
    }
  }
  visit(defaults, [])
  return near
}

/** Returns whether one key of two paths of a length differs, and that by its case or a slip of the hand. */
function isAlmost(one: ValuePath, other: ValuePath): boolean {
  if (one.length !== other.length) return false
  const differing = one.flatMap((step, depth) =>
    step === other[depth] ? [] : [[step, other[depth]] as const],
  )
  const [[a, b] = ['', ''], ...more] = differing
  if (more.length > 0 || typeof a !== 'string' || typeof b !== 'string') return false
  if (a.toLowerCase() === b.toLowerCase()) return true
  const allowed = Math.min(a.length, b.length) < 4 ? 0 : Math.min(a.length, b.length) < 8 ? 1 : 2
  return editDistance(a, b, allowed) <= allowed
}

/** Returns the number of letters that differ, are added, removed or swapped; more than `limit` if there are more. */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit || one.length > 100) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2]
      line[column] = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    before = last
    last = line
  }
  return last[other.length] ?? 0
}
