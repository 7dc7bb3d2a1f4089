/** The path, in the tree of the notes, of the statements about a hydrated commit: one envelope a line. */
export function attestationPath(commit: string): string {
  return `attestations/commits/${commit.slice(0, 2)}/${commit.slice(2)}`
}

/** The path, in the tree of the notes, of the id of the newest commit of a branch that has statements. */
export function newestAttestedPath(branch: string): string {
  return `attestations/branches/${encodeURIComponent(branch)}`
}
