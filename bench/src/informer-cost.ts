/** What an informer of all Applications took in a process of its own. */
export interface InformerCost {
  /** How many it had at the end. */
  readonly applications: number
  /** Milliseconds of processor time from its start until it had all. */
  readonly syncedCpuMs: number
  /** What it kept then, after a garbage collection. */
  readonly heldMiB: number
  /** Milliseconds of processor time for one update. */
  readonly updateCpuMs: number
}
