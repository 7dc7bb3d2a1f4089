/** A program to start. */
export interface Program {
  /** A path, or a name that is looked up in the `PATH` of `environment`. */
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** All of it; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether it leads a session and a process group of its own. */
  readonly leadsGroup: boolean
  /** Whether something is written to its standard input, which is empty otherwise. */
  readonly hasInput: boolean
  /** How messages call it. */
  readonly label: string
}
