import type { ApplicationChanges, ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'

/** The result of a comparison. */
export interface Comparison {
  readonly applications: readonly ApplicationChanges[]
  readonly summary: ChangesSummary
}

/** The revisions that are compared. */
export interface ComparedRevisions {
  readonly repoUrl: string
  /** The dry revision; empty for the working tree. */
  readonly revision: string
  /** Empty for what the hydrated branches hold. */
  readonly base: string
  readonly target: string
  /** Versions of tools to try out for the revision. */
  readonly tools: Readonly<Record<string, string>>
  readonly applications: readonly { readonly namespace: string; readonly name: string }[]
}
