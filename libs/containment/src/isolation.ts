/** The files that a contained program sees in addition to its private directory: only its own file, or also the system's programs. */
export type View = 'program' | 'system'

/** The parts of the machine that an isolated program has. */
export interface Isolation {
  /** A program that needs files of the system sees those of `system` in any case. */
  readonly view: View
  /** The one directory that it may write to; where the program runs lies in it. */
  readonly directory: string
  /** The path by which it finds the directory; by default the same. */
  readonly directoryAs?: string
  /** A directory that it finds at /tmp; by default there is an empty one that it cannot write to. */
  readonly temporary?: string
  readonly network: boolean
  /** Absolute paths of programs that it starts itself. */
  readonly otherPrograms?: readonly string[]
  /** Absolute paths of files that it reads, wherever they are. */
  readonly files?: readonly string[]
  /**
   * Arguments with which the program exits with 0 when it has what it needs, such as `version`. With them a program is tried that
   * may need more than it is shown, as a script does that hands over to another program.
   */
  readonly trialArguments?: readonly string[]
}
