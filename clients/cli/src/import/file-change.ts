/** A file before and after an import; an empty text is a file that does not exist. */
export interface FileChange {
  /** The path from the root of the repository. */
  readonly path: string
  readonly before: string
  readonly after: string
}
