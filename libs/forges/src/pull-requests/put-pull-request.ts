import {
  ConflictError,
  DomainError,
  FailedPreconditionError,
  RateLimitError,
  UnavailableError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'
import { cutLine, cutText } from './cut-text.ts'
import type { KeptPullRequest, MergeMethod, PullRequestForge } from './pull-request-forge.ts'

/** A pull request within one repository as it should be. */
export interface WantedPullRequest {
  readonly head: string
  readonly base: string
  /** Empty to leave the texts of the open one as they are, and to open none. */
  readonly title: string
  readonly body: string
  /** Added when they are missing. */
  readonly labels: readonly string[]
  /** Asked when they were not yet. */
  readonly reviewers: readonly string[]
  /** Undefined to leave the merge to people. */
  readonly merge: WantedMerge | undefined
}

/** A merge that is wanted as soon as the forge allows it. */
type WantedMerge = {
  /** The only head that is merged. */
  readonly headSha: string
} & (
  | { readonly method: MergeMethod }
  /** Merges it in place of the forge. */
  | { readonly land: () => Promise<void> }
)

/** The result of a wanted pull request. */
export interface PullRequestOutcome {
  readonly pullRequest: KeptPullRequest
  readonly outcome: 'opened' | 'updated' | 'unchanged' | 'merged'
  /** Why it was not merged though that is wanted; empty otherwise. */
  readonly waitingFor: string
  readonly warnings: readonly string[]
}

/**
 * Opens a pull request or brings the open one to what is wanted. Its only memory is the forge, so repeating it changes nothing.
 * A label or a reviewer that the forge does not take is a warning. Undefined when none is open and none is to be opened.
 */
export async function putPullRequest(
  forge: PullRequestForge,
  wanted: WantedPullRequest,
): Promise<PullRequestOutcome | undefined> {
  const kept = await openOrUpdate(forge, wanted)
  if (!kept) return undefined
  const decorations = [
    await decorate('labels', () => addMissingLabels(forge, kept.pullRequest, wanted.labels)),
    await decorate('reviewers', () => addMissingReviewers(forge, kept.pullRequest, wanted.reviewers)),
  ]
  const isDecorated = decorations.some(({ isChanged }) => isChanged)
  const outcome = kept.outcome === 'unchanged' && isDecorated ? 'updated' : kept.outcome
  const warnings = decorations.flatMap(({ warning }) => (warning === '' ? [] : [warning]))
  const merged = wanted.merge ? await mergeWhenReady(forge, kept.pullRequest, wanted.merge) : ''
  if (merged !== 'merged') return { pullRequest: kept.pullRequest, outcome, waitingFor: merged, warnings }
  const pullRequest: KeptPullRequest = { ...kept.pullRequest, state: 'merged' }
  return { pullRequest, outcome: 'merged', waitingFor: '', warnings }
}

async function openOrUpdate(
  forge: PullRequestForge,
  { head, base, ...wanted }: WantedPullRequest,
): Promise<Pick<PullRequestOutcome, 'pullRequest' | 'outcome'> | undefined> {
  const title = cutLine(wanted.title, forge.limits.title)
  const body = cutText(forge.shown(wanted.body).trim(), forge.limits.body ?? forge.limits.comment)
  const known = await forge.openBetween(head, base)
  if (title === '') return known && { pullRequest: known, outcome: 'unchanged' }
  if (!known) return { pullRequest: await forge.open({ head, base, title, body }), outcome: 'opened' }
  if (known.title === title && known.body.replaceAll('\r\n', '\n').trim() === body) {
    return { pullRequest: known, outcome: 'unchanged' }
  }
  return { pullRequest: await forge.update(known.number, { title, body }), outcome: 'updated' }
}

async function addMissingLabels(
  forge: PullRequestForge,
  pullRequest: KeptPullRequest,
  labels: readonly string[],
): Promise<boolean> {
  const missing = labels.filter((label) => !pullRequest.labels.includes(label))
  if (missing.length > 0) await forge.addLabels(pullRequest, missing)
  return missing.length > 0
}

async function addMissingReviewers(
  forge: PullRequestForge,
  pullRequest: KeptPullRequest,
  reviewers: readonly string[],
): Promise<boolean> {
  // No forge lets the author of a pull request review it.
  const others = reviewers.filter((name) => name !== pullRequest.author)
  if (others.length === 0) return false
  const present = await forge.reviewers(pullRequest.number)
  const missing = others.filter((name) => !present.includes(name))
  if (missing.length > 0) await forge.addReviewers(pullRequest, missing, present)
  return missing.length > 0
}

/** Labels and reviewers do not hold up the pull request itself; what a later try may do is thrown. */
async function decorate(
  what: string,
  work: () => Promise<boolean>,
): Promise<{ isChanged: boolean; warning: string }> {
  try {
    return { isChanged: await work(), warning: '' }
  } catch (error) {
    const isFinal = error instanceof DomainError && !(error instanceof RateLimitError)
    if (!isFinal || error instanceof UnavailableError) throw error
    return { isChanged: false, warning: `${what}: ${errorMessage(error)}` }
  }
}

/** Returns the reason for which it waits, or `merged`. */
async function mergeWhenReady(
  forge: PullRequestForge,
  pullRequest: KeptPullRequest,
  merge: WantedMerge,
): Promise<string> {
  if (pullRequest.isDraft) return 'it is a draft'
  if (pullRequest.headSha !== merge.headSha) return 'the forge does not show the newest commit yet'
  const mergeability = await forge.mergeability(pullRequest)
  if (!mergeability.isReady) return mergeability.waitingFor
  try {
    if ('land' in merge) await merge.land()
    else await forge.merge(pullRequest.number, merge)
    return 'merged'
  } catch (error) {
    // What is found out only now, such as a head that moved or a rule of the branch.
    const isRefused = error instanceof DomainError && /^http-4(?:00|05|06|09|22)$/.test(error.code ?? '')
    if (isRefused || error instanceof FailedPreconditionError || error instanceof ConflictError)
      return errorMessage(error)
    throw error
  }
}
