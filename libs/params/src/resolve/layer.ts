import type { Located, Owner } from '../values/value.ts'

/** A tree of values that one owner wrote in one place. */
export interface Layer {
  /** A higher rank wins: 0 default of the tool, 1 default of the operator, 2 value of the developer, 3 value of the operator. */
  rank: 0 | 1 | 2 | 3
  owner: Owner
  kind: 'default' | 'value'
  /** A map. */
  tree: Located
  /** The name of the layer in explanations, for example `values file` or `workload param`. */
  label?: string
}

/**
 * The way to merge layers: `replace` takes each top-level key whole from the strongest layer that has it, `deep` merges
 * maps and replaces everything else, lists too. Null is a value like any other.
 */
export type MergeMode = 'replace' | 'deep'
