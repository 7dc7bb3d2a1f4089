import { formatPath } from '../values/path.ts'
import type { Resolution } from '../resolve/resolve.ts'
import { hideInValues } from './hidden-texts.ts'
import { isList } from '../values/value-tree.ts'
import { Float, isValueMap } from '../values/value.ts'
import type { Derivation, Owner, Provenance, Source, Value } from '../values/value.ts'

/** A tree of values that decides something of a source, and what decided each value. */
export interface ParameterTree {
  /** The name of the tree, for example `values of package "web"` or `params of workload "shop" resource "deploy"`. */
  readonly name: string
  readonly resolution: Resolution
  /** True if it holds the values of a tool; records leave out those that nobody set over the tool's defaults. */
  readonly isOfTool?: boolean
  /** Texts that are not shown, such as passwords. */
  readonly hidden?: readonly string[]
}

/** A value that any JSON writer can write; an integer of more than 53 bits is text, and so is an infinite number. */
export type PrintableValue =
  | null
  | boolean
  | string
  | number
  | PrintableValue[]
  | { [key: string]: PrintableValue }

/** A place where a value of a parameter is written. */
export interface ExplainedSource {
  readonly owner: Owner
  readonly kind: 'default' | 'value'
  /** The name of the place, for example `values file` or `workload param`. */
  readonly label?: string
  /** Path from the root of the repository; what is not in git names itself. */
  readonly file: string
  /** From 1; absent for a whole file. */
  readonly line?: number
  /**
   * The value written there. Of overridden values and origins, a string has no more than 1,000 characters, and a map or
   * list of more than 100 parts is reported by its size.
   */
  readonly value: PrintableValue
  /** The origin of the value, if another place decided it. */
  readonly derivedFrom?: ExplainedDerivation
}

/** The derivation of a value from another. */
export interface ExplainedDerivation {
  /** The parameter, tag or mapping, for example `param replicas`. */
  readonly step: string
  readonly from: ExplainedSource
  readonly beats: readonly ExplainedSource[]
}

/** A leaf of a tree: the winner and everything that it overrides, the strongest first. */
export interface ExplainedParameter {
  /** The name of the tree. */
  readonly of: string
  /** With dots, for example `.app.replicas`. */
  readonly path: string
  readonly value: PrintableValue
  readonly from: ExplainedSource
  readonly beats: readonly ExplainedSource[]
}

/** Most places that the parameters of one explanation override, all together. */
const maxOverridden = 200_000

/** Most parts of a value that was overridden or taken from, and most characters of its text: one may stand in the way of many. */
const maxParts = 100
const maxCharacters = 1_000

/**
 * Explains the leaves of trees, in the order of the trees. Once 200,000 places are overridden, those overridden by further
 * leaves are left out.
 * @param withoutDefaults leaves out what the defaults of a tool decide in a tree of its values
 */
export function* explainTrees(
  trees: readonly ParameterTree[],
  { withoutDefaults = false } = {},
): Generator<ExplainedParameter> {
  const budget = { overridden: maxOverridden }
  for (const { name, resolution, isOfTool, hidden = [] } of trees) {
    const showing: Showing = { budget, hide: hideInValues(hidden) }
    const leaves =
      withoutDefaults && isOfTool ? resolution.leaves((owner) => owner !== 'tool') : resolution.leaves()
    for (const { path, value, why } of leaves) {
      const plain = plainValue(showing.hide(value))
      const { from, beats } = explainProvenance(why, showing)
      yield { of: name, path: formatPath(path), value: plain, from: { ...from, value: plain }, beats }
    }
  }
}

/** The room left for overridden values, and the function that hides values. */
interface Showing {
  readonly budget: { overridden: number }
  readonly hide: (value: Value) => Value
}

function explainProvenance(
  { winner, overridden }: Provenance,
  showing: Showing,
): Pick<ExplainedParameter, 'from' | 'beats'> {
  const { budget } = showing
  const reported = overridden.slice(0, Math.max(0, budget.overridden))
  budget.overridden -= reported.length
  return {
    from: explainSource(winner, showing),
    beats: reported.map((source) => explainSource(source, showing)),
  }
}

function explainSource(source: Source, showing: Showing): ExplainedSource {
  const { owner, kind, label, at, value, derivedFrom } = source
  return {
    owner,
    kind,
    ...(label === undefined ? {} : { label }),
    file: at.file,
    ...(at.line === undefined ? {} : { line: at.line }),
    value: shortValue(showing.hide(value)),
    ...(derivedFrom === undefined ? {} : { derivedFrom: explainDerivation(derivedFrom, showing) }),
  }
}

function shortValue(value: Value): PrintableValue {
  if (typeof value === 'string') {
    return value.length <= maxCharacters ? value : `${value.slice(0, maxCharacters - 1)}…`
  }
  if (countParts(value, maxParts) <= maxParts) return plainValue(value)
  return isValueMap(value)
    ? `a map of ${value.size} keys`
    : `a list of ${isList(value) ? value.length : 0} items`
}

/** Counts maps, lists and scalars, and long texts by their length; stops above the limit. */
function countParts(value: Value, limit: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / maxCharacters)
  if (!isValueMap(value) && !isList(value)) return 1
  let count = 1
  for (const member of value.values()) {
    count += countParts(member, limit - count)
    if (count > limit) break
  }
  return count
}

function plainValue(value: Value): PrintableValue {
  if (value instanceof Float) return Number.isFinite(value.value) ? value.value : String(value.value)
  if (typeof value === 'bigint') return String(value)
  if (isList(value)) return value.map(plainValue)
  if (!isValueMap(value)) return value
  return Object.fromEntries(Array.from(value, ([key, member]) => [key, plainValue(member)]))
}

function explainDerivation({ step, why }: Derivation, showing: Showing): ExplainedDerivation {
  return { step, ...explainProvenance(why, showing) }
}
