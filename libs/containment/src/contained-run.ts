import type { Isolation } from './isolation.ts'
import type { RunOptions } from './run-contained.ts'

/** A run of a program with its bounds. */
export interface ContainedRun extends RunOptions {
  /** Processor time of each process, in seconds. */
  readonly cpuSeconds: number
  /** Most processes and threads at a time, where the machine bounds them. */
  readonly processes: number
  /** Largest file that it may write, in bytes; undefined for no bound. */
  readonly fileBytes: number | undefined
  /** The isolated view of the program; undefined for a program that needs its user's files, network and other processes. */
  readonly isolation: Isolation | undefined
}
