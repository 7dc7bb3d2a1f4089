/** The costs of an informer of all Applications in a process of its own. */
export interface InformerCost {
  /** The number of Applications at the end. */
  readonly applications: number
  /** Milliseconds of processor time from its start until it had all. */
  readonly syncedCpuMs: number
  /** The memory that it kept then, after a garbage collection. */
  readonly heldMiB: number
  /** Milliseconds of processor time for one update. */
  readonly updateCpuMs: number
}
