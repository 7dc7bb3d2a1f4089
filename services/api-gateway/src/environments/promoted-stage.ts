import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import type { GetBranchResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { notedDryCommit } from '../applications/noted-dry-commit.ts'
import { emptyStage, type StageFields, type StageState } from './stage.ts'
import type { StagedApplication } from './staged-applications.ts'

/**
 * Returns the stage of a branch that a staging branch is merged to.
 * @param staging the stage of the staging branch
 * @param found the state of the branch in git; undefined while it cannot be read
 * @param pullRequest the pull request that Wadi keeps between the two; undefined without one
 */
export function promotedStage(
  applications: readonly StagedApplication[],
  staging: StageFields,
  found: GetBranchResponse | undefined,
  pullRequest: PullRequestRecord | undefined,
): StageFields {
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
    ...standing(isPromoted, staging, pullRequest),
  }
}

function standing(
  isPromoted: boolean,
  { drySha }: StageFields,
  pullRequest: PullRequestRecord | undefined,
): { state: StageState; reason: string } {
  if (isPromoted) return { state: 'Promoted', reason: '' }
  if (drySha === '') return { state: '', reason: '' }
  if (pullRequest?.state === 'open') return { state: 'PullRequest', reason: pullRequest.message }
  if (pullRequest?.state === 'closed')
    return { state: 'HeldBack', reason: 'somebody closed its pull request; the next change opens another' }
  if (pullRequest && pullRequest.message !== '') {
    return { state: 'HeldBack', reason: `the pull request ${pullRequest.message}` }
  }
  return { state: 'Waiting', reason: 'for a promotion' }
}
