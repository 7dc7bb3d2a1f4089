import type { Program } from './program.ts'

/** A program to start; each of its streams arrives on a connection of its own, which begins with the id and the number of the stream. */
export interface StartRequest extends Omit<Program, 'label'> {
  /** 32 hexadecimal digits that nobody can guess. */
  readonly id: string
}

/** A report of the starter, one on each line of JSON; all but the first are about a program. */
export type StarterReport =
  | { readonly ready: true }
  | { readonly id: string; readonly pid: number }
  | { readonly id: string; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: string; readonly code: string; readonly message: string }
