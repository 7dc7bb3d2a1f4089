import type { ContainedRun } from './contained-run.ts'

/** The command that runs a program isolated. */
export interface IsolatedCommand {
  readonly argv: readonly string[]
  /** True if a shell stays around the program. */
  readonly isInShell: boolean
}

/** Programs with their bounds that ask to be isolated. */
export type IsolatedRun = ContainedRun & { readonly isolation: NonNullable<ContainedRun['isolation']> }

/** A means of the kernel by which a program gets a part of the machine alone. */
export interface Isolator {
  /**
   * Prepares one run; disposal removes what was made for it.
   * @param program the file of the program, around which the command may have others
   */
  isolate(program: string, argv: readonly string[], run: IsolatedRun): IsolatedCommand & Disposable
}
