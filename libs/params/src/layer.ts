import type { Located, Owner } from './value.ts'

/** A tree of values that one owner wrote in one place. */
export interface Layer {
  /** A higher rank wins: 0 default of the tool, 1 default of the operator, 2 value of the developer, 3 value of the operator. */
  rank: 0 | 1 | 2 | 3
  owner: Owner
  kind: 'default' | 'value'
  /** A map. */
  tree: Located
  /** What the layer is called in explanations, for example `values file` or `workload param`. */
  label?: string
}
