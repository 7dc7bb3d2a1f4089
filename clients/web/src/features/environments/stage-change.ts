import type {
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { ChangePullRequestResponse } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'

/** The changes of a stage's pull request, in the words of the page. */
export const stageChanges = {
  open: { button: 'Promote', title: ({ branch }: Stage) => `Promote to ${branch}` },
  merge: {
    button: 'Merge',
    title: ({ pullRequest }: Stage) => `Merge pull request ${pullRequest}`,
  },
  close: {
    button: 'Close',
    title: ({ pullRequest }: Stage) => `Close pull request ${pullRequest}`,
  },
  reopen: {
    button: 'Reopen',
    title: ({ pullRequest }: Stage) => `Reopen pull request ${pullRequest}`,
  },
} as const

/** A change of a stage's pull request. */
export type StageChange = keyof typeof stageChanges

/** Returns true for a change that the page knows. */
export function isStageChange(change: string): change is StageChange {
  return Object.hasOwn(stageChanges, change)
}

/** Returns how the pull request of a stage is after a change: where Wadi merges, one that was opened may be merged already. */
export function changedText(
  { promotedFrom }: Stage,
  { number, state }: Pick<ChangePullRequestResponse, 'number' | 'state'>,
): string {
  return `Pull request ${number} from ${promotedFrom} is ${state}`
}

/** Returns true if a change of a stage is still what somebody was shown: its branches and its pull request are the same. */
export function isAsSeen(seen: Stage, now: Stage, change: StageChange): boolean {
  return (
    seen.stagedSha === now.stagedSha &&
    seen.hydratedSha === now.hydratedSha &&
    seen.pullRequest === now.pullRequest &&
    now.changes.includes(change)
  )
}

/** Returns the dry commits that the staging branch of a stage has and the stage does not, the newest first. */
export function broughtCommits(
  stage: Stage,
  { stages, commits }: { stages: readonly Stage[]; commits: readonly TravellingCommit[] },
): TravellingCommit[] {
  const to = stages.indexOf(stage)
  const from = stages.findIndex(
    ({ repoUrl, branch, targetRevision, promotedFrom }) =>
      promotedFrom === '' &&
      repoUrl === stage.repoUrl &&
      branch === stage.promotedFrom &&
      targetRevision === stage.targetRevision,
  )
  return commits.filter(({ stages: having }) => having.includes(from) && !having.includes(to))
}
