/** The parameters in the address of the page of a dry commit. */
export interface CommitSearch {
  /** The dry repository. */
  repository: string
  /** The full commit id. */
  sha: string
}

/** Reads the address of the page. */
export function readCommitSearch({ repository, sha }: Record<string, unknown>): CommitSearch {
  return {
    repository: typeof repository === 'string' ? repository : '',
    // Seven digits alone may be read as a number.
    sha: typeof sha === 'string' || typeof sha === 'number' ? String(sha) : '',
  }
}
