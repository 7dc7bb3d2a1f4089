/** The costs of a store of all Applications in a process of its own. */
export interface StoreCost {
  readonly applications: number
  /** The memory that it kept after its first list and a garbage collection. */
  readonly heldMiB: number
  /** Milliseconds of processor time for a list from memory. */
  readonly listCpuMs: number
}
