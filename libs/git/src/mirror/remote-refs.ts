/** The refs of a remote at one moment. */
export type RemoteRefs = {
  /** The short name of the branch that HEAD names. */
  head?: string
  /** Full ref name, or `HEAD`, to object; an annotated tag has a second entry with `^{}` for its commit. */
  refs: Map<string, string>
}
