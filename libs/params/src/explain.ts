import { formatPath } from './path.ts'
import type { Resolution } from './resolve.ts'
import { isList } from './value-tree.ts'
import { Float, isValueMap } from './value.ts'
import type { Derivation, Owner, Provenance, Source, Value } from './value.ts'

/** A tree of values that decides something of a source, and what decided each value. */
export interface ParameterTree {
  /** What the tree is, for example `values of package "web"` or `params of workload "shop" resource "deploy"`. */
  readonly name: string
  readonly resolution: Resolution
}

/** A value that any JSON writer can write; an integer of more than 53 bits is text. */
export type PlainValue = null | boolean | string | number | PlainValue[] | { [key: string]: PlainValue }

/** A place where a value of a parameter is written. */
export interface ExplainedSource {
  readonly owner: Owner
  readonly kind: 'default' | 'value'
  /** What is written there is called, for example `values file` or `workload param`. */
  readonly label?: string
  /** Path from the root of the repository; what is not in git names itself. */
  readonly file: string
  /** From 1; absent for a whole file. */
  readonly line?: number
  readonly value: PlainValue
  /** What the value was taken from, when another place decided it. */
  readonly derivedFrom?: ExplainedDerivation
}

/** How a value came from another. */
export interface ExplainedDerivation {
  /** The parameter, tag or mapping, for example `param replicas`. */
  readonly step: string
  readonly from: ExplainedSource
  readonly beats: readonly ExplainedSource[]
}

/** A leaf of a tree: the winner and everything that it beat, the strongest first. */
export interface ExplainedParameter {
  /** The name of the tree. */
  readonly of: string
  /** With dots, for example `.app.replicas`. */
  readonly path: string
  readonly value: PlainValue
  readonly from: ExplainedSource
  readonly beats: readonly ExplainedSource[]
}

/** Explains every leaf of trees, in the order of the trees. */
export function* explainTrees(trees: readonly ParameterTree[]): Generator<ExplainedParameter> {
  for (const { name, resolution } of trees) {
    for (const { path, value, why } of resolution.leaves()) {
      yield { of: name, path: formatPath(path), value: plainValue(value), ...explainProvenance(why) }
    }
  }
}

function explainProvenance({ winner, beaten }: Provenance): Pick<ExplainedParameter, 'from' | 'beats'> {
  return { from: explainSource(winner), beats: beaten.map(explainSource) }
}

function explainSource({ owner, kind, label, at, value, derivedFrom }: Source): ExplainedSource {
  return {
    owner,
    kind,
    ...(label === undefined ? {} : { label }),
    file: at.file,
    ...(at.line === undefined ? {} : { line: at.line }),
    value: plainValue(value),
    ...(derivedFrom === undefined ? {} : { derivedFrom: explainDerivation(derivedFrom) }),
  }
}

function plainValue(value: Value): PlainValue {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return String(value)
  if (isList(value)) return value.map(plainValue)
  if (!isValueMap(value)) return value
  return Object.fromEntries(Array.from(value, ([key, member]) => [key, plainValue(member)]))
}

function explainDerivation({ step, why }: Derivation): ExplainedDerivation {
  return { step, ...explainProvenance(why) }
}
