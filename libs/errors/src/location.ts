/** A place in a file. */
export interface Location {
  /** Path from the root of the repository. */
  file: string
  /** From 1; undefined for a whole file. */
  line?: number
  /** From 1, in characters of the line; undefined where only the line is known. */
  column?: number
}

/** Returns `file`, `file:line` or `file:line:column`, as much as is known. */
export function formatLocation(at: Location): string {
  return [at.file, at.line, at.column].filter((part) => part !== undefined).join(':')
}
