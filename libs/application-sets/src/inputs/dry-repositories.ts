import type { Verification } from '@wadi/hydration/source-verification.ts'

/** Which paths of a commit are wanted. */
export interface DryPathQuery {
  kind: 'directories' | 'files'
  includes: string[]
  excludes: string[]
  hidden: boolean
}

/** The part of repo-server that generators ask: its client is one. */
export interface DryRepositories {
  resolveRevisions: (
    request: { repoUrl: string; project: string; revisions: string[]; refresh: boolean },
    call?: { signal?: AbortSignal },
  ) => Promise<{ revisions: readonly { sha: string; error: string }[] }>
  listPaths: (
    request: DryCommitRequest & DryPathQuery,
    call?: { signal?: AbortSignal },
  ) => Promise<{ paths: string[]; treeId: string }>
  /** @throws ResourceExhaustedError for more than one answer carries, NotFoundError */
  readFiles: (
    request: DryCommitRequest & { paths: string[] },
    call?: { signal?: AbortSignal },
  ) => Promise<{ contents: Uint8Array[] }>
}

/** A commit of a dry repository. */
export interface DryCommitRequest {
  repoUrl: string
  project: string
  sha: string
  verification: Verification
}
