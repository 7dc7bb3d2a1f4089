import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ProgramStreams } from './program-streams.ts'

/** The end of a program: its exit code or a signal. */
export interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** The process that starts programs ended, and how a program ended can never be known; a new one is started for the next call. */
export class StarterLostError extends UnavailableError {
  constructor(label: string) {
    super(`${label} was stopped: the process that starts programs ended; try again`)
  }
}

/** A program that was started, and ended perhaps. */
export interface StartedProgram extends ProgramStreams {
  readonly pid: number
  /**
   * When the program itself ended; what it started may still write to its streams.
   * Rejected with StarterLostError.
   */
  readonly exited: Promise<ProgramEnd>
  /** When it ended and nobody can write to its output any more, and all of it was read. Rejected with StarterLostError. */
  readonly closed: Promise<ProgramEnd>
  /** Sets if it keeps this process from ending; it does at first. */
  setReferenced(referenced: boolean): void
}

/** Sends a signal to a program, or to the process group that it leads; one that is gone gets none. */
export function signalProgram(pid: number, signal: NodeJS.Signals, to: 'program' | 'group'): void {
  try {
    process.kill(to === 'group' ? -pid : pid, signal)
  } catch (error) {
    // All that is left may have become another user's, as a program with the setuid bit does.
    const isBeyond =
      error instanceof Error && 'code' in error && ['ESRCH', 'EPERM'].includes(String(error.code))
    if (!isBeyond) throw error
  }
}
