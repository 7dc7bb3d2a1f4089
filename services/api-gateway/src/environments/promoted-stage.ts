import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import type { GetBranchResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { notedDryCommit } from '../applications/noted-dry-commit.ts'
import { emptyStage, type StageFields, type StageState } from './stage.ts'
import type { StagedApplication } from './staged-applications.ts'

/** The merge of a staging branch that a stage waits for. */
interface Promotion {
  /** The pull request that Wadi keeps between the two branches; undefined without one. */
  readonly pullRequest: PullRequestRecord | undefined
  /** The head of the staging branch; empty while it is not known. */
  readonly stagedSha: string
  /** True if the caller may change the pull request. */
  readonly mayChange: boolean
}

/**
 * Returns the stage of a branch that a staging branch is merged to.
 * @param staging the stage of the staging branch
 * @param found the state of the branch in git; undefined while it cannot be read
 */
export function promotedStage(
  applications: readonly StagedApplication[],
  staging: StageFields,
  found: GetBranchResponse | undefined,
  promotion: Promotion,
): StageFields {
  const { pullRequest, stagedSha } = promotion
  const [first] = applications
  const stage = emptyStage(applications, first?.promotedTo ?? '', staging.branch)
  const position = found?.position
  if (!first || !position) return stage
  const { headSha: hydratedSha } = position
  const isPromoted = found.unchanged && staging.drySha !== ''
  // A merge leaves a head without a note, and a dry commit that changes nothing none on the branch.
  const drySha = isPromoted ? staging.drySha : (notedDryCommit(position, first.member) ?? position.drySha)
  const { version } = staging
  return {
    ...stage,
    drySha,
    version: isPromoted ? version : '',
    since: found.headDate,
    hydratedSha,
    nextDrySha: staging.drySha === drySha ? '' : staging.drySha,
    pullRequestUrl: pullRequest?.url ?? '',
    pullRequest: pullRequest?.number ?? '',
    stagedSha,
    changes: isPromoted || staging.drySha === '' ? [] : changesOf(promotion),
    ...standing(isPromoted, staging, pullRequest),
  }
}

function changesOf({ pullRequest, stagedSha, mayChange }: Promotion): string[] {
  if (!mayChange || stagedSha === '') return []
  if (pullRequest?.state === 'open') return ['merge', 'close']
  return pullRequest?.state === 'closed' ? ['reopen'] : ['open']
}

function standing(
  isPromoted: boolean,
  { drySha }: StageFields,
  pullRequest: PullRequestRecord | undefined,
): { state: StageState; reason: string } {
  if (isPromoted) return { state: 'Promoted', reason: '' }
  if (drySha === '') return { state: '', reason: '' }
  if (pullRequest?.state === 'open') return { state: 'PullRequest', reason: pullRequest.message }
  if (pullRequest?.state === 'closed') return { state: 'HeldBack', reason: closedReason(pullRequest) }
  if (pullRequest && pullRequest.message !== '') {
    return { state: 'HeldBack', reason: `the pull request ${pullRequest.message}` }
  }
  return { state: 'Waiting', reason: 'for a promotion' }
}

function closedReason({ isRequested = false }: PullRequestRecord): string {
  return `somebody closed its pull request${isRequested ? '' : '; the next change opens another'}`
}
