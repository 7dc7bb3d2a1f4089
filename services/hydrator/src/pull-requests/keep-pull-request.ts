import { DomainError, errorMessage, RateLimitError } from '@wadi/errors/domain-error.ts'
import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { settingsOfBranch } from '../left-to-argo-cd.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import { isLeftToWriter } from '../run/observe/other-installation.ts'
import {
  askedState,
  closePullRequest,
  compareBranches,
  noPullRequest,
  type Place,
  placeOf,
  type PullRequestContext,
  putPullRequest,
} from './put-pull-request.ts'
import { RecordedPullRequest, type StandingPullRequest } from './recorded-pull-request.ts'
import { type BranchPullRequest, wantedPullRequest } from './wanted-pull-request.ts'

/** The longest pause after a rate limit; the forge may have said something that cannot be. */
const maxPauseMs = 3_600_000

/**
 * Brings the pull request of one branch to what is wanted: opens, updates, merges or closes it. Its state is in the forge, the record
 * only saves questions. What goes wrong is recorded, and tried again later.
 * @throws ConflictError if somebody else changed what is recorded before one could be opened
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
  const recorded = new RecordedPullRequest(context.records, key, known)
  const members = context.index.members(key)
  const settings = settingsOfBranch(operator, members, context.status)
  const wanted = await wantedPullRequest(context.store, key, members, settings, known?.isRequested)
  if (!wanted) {
    if (known) await recorded.write(undefined)
    return undefined
  }
  const pausedUntil = known?.retryAt === undefined ? 0 : Date.parse(known.retryAt)
  if (pausedUntil > Date.now()) return pausedUntil
  const next = await attempt(context, { wanted, known, recorded, operator: settings }, signal)
  if (!recorded.isAsKnown(next?.record)) {
    await recorded.write(next)
    if (next) context.events.pullRequest(wanted, next.record)
  }
  return next?.record.retryAt === undefined ? undefined : Date.parse(next.record.retryAt)
}

/** A pull request to bring to what is wanted. */
interface Task {
  readonly wanted: BranchPullRequest
  readonly known: PullRequestRecord | undefined
  readonly recorded: RecordedPullRequest
  readonly operator: OperatorSettings
}

async function attempt(
  context: PullRequestContext,
  task: Task,
  signal: AbortSignal,
): Promise<StandingPullRequest | undefined> {
  try {
    return await bring(context, task, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DomainError) || task.recorded.isOvertaken) throw error
    return { record: failed(task, error), isNamed: false }
  }
}

/** Returns what is known of the pull request before it is brought to its branches again. */
function standing(
  { baseBranch }: BranchPullRequest,
  known: PullRequestRecord | undefined,
): PullRequestRecord {
  const { retryAt: _paused, attempt: _ended, ...rest } = known ?? { ...noPullRequest, baseBranch }
  return rest
}

/** A failure leaves what is known of the pull request, and is no failure of the branch. */
function failed({ wanted, known }: Task, error: DomainError): PullRequestRecord {
  const { repoUrl } = wanted
  const rest = standing(wanted, known)
  const reason = errorMessage(error).replaceAll(repoUrl, redactUrl(repoUrl))
  const message = `cannot be kept: ${reason}`
  if (!(error instanceof RateLimitError)) return { ...rest, message, isSettled: false }
  const retryAt = Math.min(error.retryAt, Date.now() + maxPauseMs)
  return { ...rest, message, isSettled: false, retryAt: new Date(retryAt).toISOString() }
}

async function bring(
  context: PullRequestContext,
  { wanted, known, recorded, operator }: Task,
  signal: AbortSignal,
): Promise<StandingPullRequest | undefined> {
  const compared = await compareBranches(context, wanted, signal)
  const { headSha, baseSha } = compared
  // A staging branch that was merged and deleted starts again with the next dry commit.
  if (headSha === '' || baseSha === '') return undefined
  // Two that keep one pull request would change its texts in turns, and one would merge what the other holds back.
  if (isLeftToWriter(compared.installation, context.installation, operator)) return undefined
  const place = placeOf(wanted, compared)
  const isSame = known !== undefined && isBroughtTo(known, place)
  if (isSame && known.isSettled) return { record: known, isNamed: false }
  // Somebody asked for that one, not for the next or for one to another branch.
  const isOther = known?.state !== 'open' || known.baseBranch !== wanted.baseBranch
  if (wanted.isRequested && isOther) return undefined
  if (compared.isContained) return closePullRequest(context, wanted, { known, place }, signal)
  if (wanted.isRequested && !isSame) {
    // People may have closed or merged it at the forge.
    const state = await askedState(context, wanted, known?.number ?? '', signal)
    if (state !== 'open') return undefined
  }
  const text = isSame && known.state !== 'none' ? undefined : compared
  // Another hydrator may have opened one meanwhile, and somebody closed it.
  const begin = () => recorded.begin(standing(wanted, known))
  return putPullRequest(context, wanted, { known, place, text, begin }, signal)
}

function isBroughtTo(known: PullRequestRecord, place: Place): boolean {
  const { baseBranch, headSha, baseSha, settings, isRequested = false } = known
  const before = { baseBranch, headSha, baseSha, settings, ...(isRequested && { isRequested }) }
  return canonicalJson(before) === canonicalJson({ ...place })
}
