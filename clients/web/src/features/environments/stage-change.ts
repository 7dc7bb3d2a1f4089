import type {
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { ChangePullRequestResponse } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'
import { t } from '../../language/t.ts'

/** The changes of a stage's pull request, in the words of the page. */
export const stageChanges = {
  open: { button: t('Promote'), title: ({ branch }: Stage) => t('Promote to {branch}', { branch }) },
  merge: {
    button: t('Merge'),
    title: ({ pullRequest }: Stage) => t('Merge pull request {number}', { number: pullRequest }),
  },
  close: {
    button: t('Close'),
    title: ({ pullRequest }: Stage) => t('Close pull request {number}', { number: pullRequest }),
  },
  reopen: {
    button: t('Reopen'),
    title: ({ pullRequest }: Stage) => t('Reopen pull request {number}', { number: pullRequest }),
  },
} as const

const stateWords: Readonly<Record<string, string>> = {
  open: t('open'),
  merged: t('merged'),
  closed: t('closed'),
}

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
  return t('Pull request {number} from {branch} is {state}', {
    number,
    branch: promotedFrom,
    state: stateWords[state] ?? state,
  })
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
