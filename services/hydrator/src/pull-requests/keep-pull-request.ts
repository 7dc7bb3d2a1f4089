import { DomainError, errorMessage, RateLimitError } from '@wadi/errors/domain-error.ts'
import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { CompareBranchesResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { settingsOfBranch } from '../left-to-argo-cd.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import { isLeftToWriter } from '../run/observe/other-installation.ts'
import type { RunContext } from '../run/run-context.ts'
import type { pullRequestText } from './pull-request-text.ts'
import { type BranchPullRequest, wantedPullRequest } from './wanted-pull-request.ts'

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

/** The longest pause after a rate limit; the forge may have said something that cannot be. */
const maxPauseMs = 3_600_000

/**
 * Brings the pull request of one branch to what is wanted: opens, updates, merges or closes it. Its state is in the forge, the record
 * only saves questions. What goes wrong is recorded, and tried again later.
 * @returns the time at which to ask the forge again, in milliseconds since 1970; undefined for the next poll
 */
export async function keepPullRequest(
  context: PullRequestContext,
  key: string,
  operator: OperatorSettings,
  signal: AbortSignal,
): Promise<number | undefined> {
  const before = await context.records.read(key)
  // The first run makes the record and the branch.
  if (!before) return undefined
  const known = before.pullRequest
  const members = context.index.members(key)
  const settings = settingsOfBranch(operator, members, context.status)
  const wanted = await wantedPullRequest(context.store, key, members, settings)
  if (!wanted) {
    if (known) await context.records.writePullRequest(key, undefined)
    return undefined
  }
  const pausedUntil = known?.retryAt === undefined ? 0 : Date.parse(known.retryAt)
  if (pausedUntil > Date.now()) return pausedUntil
  const next = await attempt(context, { wanted, known, operator: settings }, signal)
  if (canonicalJson(next ?? {}) !== canonicalJson(known ?? {})) {
    await context.records.writePullRequest(key, next)
    if (next) context.events.pullRequest(wanted, next)
  }
  return next?.retryAt === undefined ? undefined : Date.parse(next.retryAt)
}

/** A pull request to bring to what is wanted. */
interface Task {
  readonly wanted: BranchPullRequest
  readonly known: PullRequestRecord | undefined
  readonly operator: OperatorSettings
}

async function attempt(
  context: PullRequestContext,
  task: Task,
  signal: AbortSignal,
): Promise<PullRequestRecord | undefined> {
  try {
    return await bring(context, task, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DomainError)) throw error
    return failed(task.wanted, task.known, error)
  }
}

/** A failure leaves what is known of the pull request, and is no failure of the branch. */
function failed(
  { baseBranch, repoUrl }: BranchPullRequest,
  known: PullRequestRecord | undefined,
  error: DomainError,
): PullRequestRecord {
  const { retryAt: _before, ...rest } = known ?? { ...nothing, baseBranch }
  const reason = errorMessage(error).replaceAll(repoUrl, redactUrl(repoUrl))
  const message = `cannot be kept: ${reason}`
  if (!(error instanceof RateLimitError)) return { ...rest, message, isSettled: false }
  const retryAt = Math.min(error.retryAt, Date.now() + maxPauseMs)
  return { ...rest, message, isSettled: false, retryAt: new Date(retryAt).toISOString() }
}

const nothing = {
  number: '',
  url: '',
  state: 'none',
  headSha: '',
  baseSha: '',
  settings: '',
  message: '',
  isSettled: false,
} as const satisfies Partial<PullRequestRecord>

async function bring(
  context: PullRequestContext,
  { wanted, known, operator }: Task,
  signal: AbortSignal,
): Promise<PullRequestRecord | undefined> {
  const { repoUrl, project, branch, baseBranch, members, settings } = wanted
  const paths = [...new Set(members.map(({ path }) => path))]
  const compared = await context.commitServer.compareBranches(
    { repoUrl, project, branch, baseBranch, paths },
    { signal },
  )
  const { headSha, baseSha } = compared
  // A staging branch that was merged and deleted starts again with the next dry commit.
  if (headSha === '' || baseSha === '') return undefined
  // Two that keep one pull request would change its texts in turns, and one would merge what the other holds back.
  if (isLeftToWriter(compared.installation, context.installation, operator)) return undefined
  const place = { baseBranch, headSha, baseSha, settings }
  const isSame = known !== undefined && isBroughtTo(known, place)
  if (isSame && known.isSettled) return known
  if (compared.isContained) return closed(context, wanted, { known, place }, signal)
  const text = isSame && known.state === 'open' ? undefined : compared
  return kept(context, wanted, { known, place, text }, signal)
}

type Place = Pick<PullRequestRecord, 'baseBranch' | 'headSha' | 'baseSha' | 'settings'>

function isBroughtTo(known: PullRequestRecord, place: Place): boolean {
  const { baseBranch, headSha, baseSha, settings } = known
  return canonicalJson({ baseBranch, headSha, baseSha, settings }) === canonicalJson({ ...place })
}

/** Nothing is left: what is still open is closed, and what is not was merged. */
async function closed(
  { forges }: PullRequestContext,
  { repoUrl, project, branch: headBranch, baseBranch }: BranchPullRequest,
  { known, place }: { known: PullRequestRecord | undefined; place: Place },
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  const { pullRequest } = await forges.closePullRequest(
    { repoUrl, project, headBranch, baseBranch },
    { signal },
  )
  const found = { message: '', isSettled: true }
  if (pullRequest) {
    const { number, url } = pullRequest
    return { number, url, state: 'closed', ...place, ...found }
  }
  const { number, url, state } = known ?? nothing
  return { number, url, state: state === 'open' ? 'merged' : state, ...place, ...found }
}

interface KeptState {
  readonly known: PullRequestRecord | undefined
  readonly place: Place
  /** The changes that the text describes; undefined to leave the text as it is. */
  readonly text: CompareBranchesResponse | undefined
}

async function kept(
  context: PullRequestContext,
  wanted: BranchPullRequest,
  { known, place, text }: KeptState,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  const { repoUrl, project, branch: headBranch, baseBranch, setting } = wanted
  const { labels, reviewers, policy, method } = setting
  const texts = text ? await textOf(context, wanted, text, signal) : { title: '', body: '' }
  const merge = policy === 'merge' ? { method, headSha: place.headSha } : undefined
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
    const { number, url } = known ?? nothing
    return { number, url, state: 'closed', ...place, message: '', isSettled: true }
  }
  const { number, url } = pullRequest
  const isMerged = answer.outcome === 'merged'
  const message = [waitingFor === '' ? '' : `waiting: ${waitingFor}`, ...warnings].filter(
    (part) => part !== '',
  )
  return {
    number,
    url,
    state: isMerged ? 'merged' : 'open',
    ...place,
    message: message.join('; '),
    isSettled: isMerged || waitingFor === '',
  }
}

/** Loads the code that compares and reports for the first pull request. */
async function textOf(
  ...request: Parameters<typeof pullRequestText>
): Promise<Awaited<ReturnType<typeof pullRequestText>>> {
  const loaded = await import('./pull-request-text.ts')
  return await loaded.pullRequestText(...request)
}
