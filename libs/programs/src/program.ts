/** A program to start. */
export interface Program {
  /** A path, or a name that is looked up in the `PATH` of `environment`. */
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** All of it; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** True if it leads a session and a process group of its own. */
  readonly leadsGroup: boolean
  /** True if something is written to its standard input, which is empty otherwise. */
  readonly hasInput: boolean
  /** The name of the program in messages. */
  readonly label: string
}
