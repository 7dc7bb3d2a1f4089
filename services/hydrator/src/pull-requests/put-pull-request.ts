import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import type { CompareBranchesResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { RunContext } from '../run/run-context.ts'
import type { pullRequestText } from './pull-request-text.ts'
import type { StandingPullRequest } from './recorded-pull-request.ts'
import type { BranchPullRequest } from './wanted-pull-request.ts'

/** The part of the context that keeping pull requests needs. */
export type PullRequestContext = Pick<
  RunContext,
  | 'store'
  | 'index'
  | 'commitServer'
  | 'forges'
  | 'records'
  | 'events'
  | 'status'
  | 'clusterPolicies'
  | 'installation'
>

/** The record of a branch whose pull request was never there. */
export const noPullRequest = {
  number: '',
  url: '',
  state: 'none',
  headSha: '',
  baseSha: '',
  settings: '',
  message: '',
  isSettled: false,
} as const satisfies Partial<PullRequestRecord>

/** The part of the record that a pull request is brought to. */
export type Place = Pick<PullRequestRecord, 'baseBranch' | 'headSha' | 'baseSha' | 'settings' | 'isRequested'>

/** Returns the place of a pull request between the heads of its branches. */
export function placeOf(
  { baseBranch, settings, isRequested }: BranchPullRequest,
  { headSha, baseSha }: Pick<CompareBranchesResponse, 'headSha' | 'baseSha'>,
): Place {
  return { baseBranch, headSha, baseSha, settings, ...(isRequested && { isRequested }) }
}

/** Compares the branches of a pull request in the directories of its Applications. */
export function compareBranches(
  { commitServer }: Pick<PullRequestContext, 'commitServer'>,
  { repoUrl, project, branch, baseBranch, members }: BranchPullRequest,
  signal: AbortSignal,
): Promise<CompareBranchesResponse> {
  const paths = [...new Set(members.map(({ path }) => path))]
  return commitServer.compareBranches({ repoUrl, project, branch, baseBranch, paths }, { signal })
}

/** Returns the state that the forge has a pull request in; undefined if it does not say it. */
export async function askedState(
  { forges }: Pick<PullRequestContext, 'forges'>,
  { repoUrl, project }: BranchPullRequest,
  number: string,
  signal: AbortSignal,
): Promise<'open' | 'merged' | 'closed' | undefined> {
  const { pullRequests } = await forges.listPullRequests({ repoUrl, project, number }, { signal })
  const state = pullRequests.find((one) => one.number === number)?.state
  return state === 'open' || state === 'merged' || state === 'closed' ? state : undefined
}

interface KnownPlace {
  readonly known: PullRequestRecord | undefined
  readonly place: Place
}

/** Closes what is still open between the branches; what is not open any more was merged. */
export async function closePullRequest(
  { forges }: Pick<PullRequestContext, 'forges'>,
  { repoUrl, project, branch: headBranch, baseBranch }: BranchPullRequest,
  { known, place }: KnownPlace,
  signal: AbortSignal,
): Promise<StandingPullRequest> {
  const { pullRequest } = await forges.closePullRequest(
    { repoUrl, project, headBranch, baseBranch, headSha: place.headSha },
    { signal },
  )
  const found = { message: '', isSettled: true }
  if (pullRequest) {
    const { number, url } = pullRequest
    // Not every forge sees that the branch was moved forward to it.
    const isForwarded = known?.number === number && place.baseSha === place.headSha
    const isMerged = isForwarded && known.state === 'merged'
    return {
      record: { number, url, state: isMerged ? 'merged' : 'closed', ...place, ...found },
      isNamed: true,
    }
  }
  const { number, url, state } = known ?? noPullRequest
  return {
    record: { number, url, state: state === 'open' ? 'merged' : state, ...place, ...found },
    isNamed: false,
  }
}

interface WrittenState extends KnownPlace {
  /** The changes that the text describes; undefined to leave the text as it is and to open none. */
  readonly text: CompareBranchesResponse | undefined
  /** Called right before one may be opened. */
  readonly begin?: () => Promise<void>
}

/** Opens, updates or merges the pull request, as its setting says. @throws the error of `begin` */
export async function putPullRequest(
  context: PullRequestContext,
  wanted: BranchPullRequest,
  { known, place, text, begin }: WrittenState,
  signal: AbortSignal,
): Promise<StandingPullRequest> {
  const { repoUrl, project, branch: headBranch, baseBranch, setting } = wanted
  const { labels, reviewers, policy, method } = setting
  const texts = text ? await textOf(context, wanted, text, signal) : { title: '', body: '' }
  const merge = policy === 'merge' ? { method, headSha: place.headSha } : undefined
  if (text) await begin?.()
  const answer = await context.forges.putPullRequest(
    {
      repoUrl,
      project,
      headBranch,
      baseBranch,
      ...texts,
      labels: [...labels],
      reviewers: [...reviewers],
      ...(merge && { merge }),
    },
    { signal },
  )
  const { pullRequest, waitingFor, warnings } = answer
  if (!pullRequest) {
    // Somebody closed it; it stays closed until there is something else to merge.
    const { number, url } = known ?? noPullRequest
    return {
      record: { number, url, state: 'closed', ...place, message: '', isSettled: true },
      isNamed: false,
    }
  }
  const { number, url } = pullRequest
  const isMerged = answer.outcome === 'merged'
  const message = [waitingFor === '' ? '' : `waiting: ${waitingFor}`, ...warnings].filter(
    (part) => part !== '',
  )
  const record: PullRequestRecord = {
    number,
    url,
    state: isMerged ? 'merged' : 'open',
    ...place,
    message: message.join('; '),
    isSettled: isMerged || waitingFor === '',
  }
  return { record, isNamed: true }
}

/** Loads the code that compares and reports for the first pull request. */
async function textOf(
  ...request: Parameters<typeof pullRequestText>
): Promise<Awaited<ReturnType<typeof pullRequestText>>> {
  const loaded = await import('./pull-request-text.ts')
  return await loaded.pullRequestText(...request)
}
