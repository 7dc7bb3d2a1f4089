import { ConflictError, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import type { CompareBranchesResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ChangePullRequestRequest } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'
import { settingsOfBranch } from '../left-to-argo-cd.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import { isLeftToWriter } from '../run/observe/other-installation.ts'
import {
  askedState,
  closePullRequest,
  compareBranches,
  placeOf,
  type PullRequestContext,
  putPullRequest,
} from './put-pull-request.ts'
import type { StandingPullRequest } from './recorded-pull-request.ts'
import { type BranchPullRequest, wantedPullRequest } from './wanted-pull-request.ts'

/** A change that somebody asks for, of the branch with a key. */
type RequestedChange = Omit<ChangePullRequestRequest, '$typeName' | '$unknown'> & { readonly key: string }

/** A change between branches that are as its author saw them. */
interface CheckedChange {
  readonly request: RequestedChange
  readonly wanted: BranchPullRequest
  readonly known: PullRequestRecord | undefined
  readonly compared: CompareBranchesResponse
}

type Change = (
  context: PullRequestContext,
  checked: CheckedChange,
  signal: AbortSignal,
) => Promise<StandingPullRequest>

const changes: Readonly<Record<string, Change>> = { open, merge, close, reopen }

/**
 * Opens, merges, closes or reopens the pull request of a branch, and records how it stands then.
 * @throws ConflictError if a branch or the pull request is not as the request says; FailedPreconditionError if the branch has none or the
 *   forge refuses the change
 */
export async function changePullRequest(
  context: PullRequestContext,
  request: RequestedChange,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  const change = Object.hasOwn(changes, request.change) ? changes[request.change] : undefined
  if (!change) {
    const names = Object.keys(changes).join(', ')
    throw new InvalidInputError(`change ${JSON.stringify(request.change)} is not one of ${names}`)
  }
  const checked = await check(context, request, signal)
  const { record: next } = await change(context, checked, signal)
  await context.records.changePullRequest(request.key, () => next)
  context.events.pullRequest(checked.wanted, next)
  if (request.change === 'merge' && next.state !== 'merged') {
    const reason = next.message || `it is ${next.state}`
    throw new FailedPreconditionError(`pull request ${next.number} is not merged: ${reason}`)
  }
  return next
}

async function check(
  context: PullRequestContext,
  request: RequestedChange,
  signal: AbortSignal,
): Promise<CheckedChange> {
  const { key, branch, baseBranch } = request
  const before = await context.records.read(key)
  const members = context.index.members(key)
  const { store, status, clusterPolicies } = context
  const operator = await readOperatorSettings(store, status.yieldsToArgoCd, clusterPolicies)
  const settings = settingsOfBranch(operator, members, status)
  if (settings.error !== '') throw new FailedPreconditionError(settings.error)
  const wanted = before && (await wantedPullRequest(store, key, members, settings, true))
  if (wanted?.baseBranch !== baseBranch) {
    throw new FailedPreconditionError(
      `no Application that is hydrated to ${branch} is deployed from ${baseBranch}`,
    )
  }
  const compared = await compareBranches(context, wanted, signal)
  if (isLeftToWriter(compared.installation, context.installation, settings)) {
    throw new FailedPreconditionError(
      `branch ${branch} is hydrated by another installation of Wadi, ${compared.installation}, which keeps its pull request`,
    )
  }
  requireHead(branch, request.headSha, compared.headSha)
  requireHead(baseBranch, request.baseSha, compared.baseSha)
  const kept = before?.pullRequest
  const known = kept?.baseBranch === baseBranch ? kept : undefined
  requireSeen(request, known)
  if (compared.isContained && (request.change === 'open' || request.change === 'reopen')) {
    throw new FailedPreconditionError(`${baseBranch} has all of ${branch}: nothing is left to promote`)
  }
  return { request, wanted, known, compared }
}

function requireHead(branch: string, seen: string, now: string): void {
  if (seen === now && now !== '') return
  throw moved(`branch ${branch} is at ${now.slice(0, 7) || 'no commit'}, not at ${seen.slice(0, 7)}`)
}

function requireSeen(
  { branch, baseBranch, change, number }: RequestedChange,
  known: PullRequestRecord | undefined,
): void {
  const isSeen = change === 'open' ? known?.state !== 'open' : number !== '' && number === known?.number
  if (isSeen) return
  throw moved(
    known
      ? `the pull request of ${branch} is ${known.number}, ${known.state}`
      : `${branch} has no pull request to ${baseBranch}`,
  )
}

function moved(reason: string): ConflictError {
  return new ConflictError(`${reason}: nothing is written; look at it again`)
}

/** Opens a pull request, or takes over the one that is open already. */
async function open(
  context: PullRequestContext,
  { wanted, known, compared }: CheckedChange,
  signal: AbortSignal,
): Promise<StandingPullRequest> {
  const place = placeOf(wanted, compared)
  return putPullRequest(context, wanted, { known, place, text: compared }, signal)
}

async function merge(
  context: PullRequestContext,
  checked: CheckedChange,
  signal: AbortSignal,
): Promise<StandingPullRequest> {
  await requireState(context, checked, 'open', signal)
  const { wanted, known, compared } = checked
  const merged = { ...wanted, setting: { ...wanted.setting, policy: 'merge' as const } }
  return putPullRequest(context, merged, { known, place: placeOf(wanted, compared), text: undefined }, signal)
}

async function close(
  context: PullRequestContext,
  checked: CheckedChange,
  signal: AbortSignal,
): Promise<StandingPullRequest> {
  await requireState(context, checked, 'open', signal)
  const { wanted, known, compared } = checked
  const next = await closePullRequest(context, wanted, { known, place: placeOf(wanted, compared) }, signal)
  // Somebody was faster, who may have merged it.
  if (next.record.state !== 'closed') await requireState(context, checked, 'closed', signal)
  return { ...next, record: { ...next.record, state: 'closed' } }
}

/** Opens the closed one again, or another one where the forge keeps it closed. */
async function reopen(
  context: PullRequestContext,
  checked: CheckedChange,
  signal: AbortSignal,
): Promise<StandingPullRequest> {
  await requireState(context, checked, 'closed', signal)
  const { repoUrl, project } = checked.wanted
  await context.forges.reopenPullRequest({ repoUrl, project, number: checked.request.number }, { signal })
  return open(context, checked, signal)
}

/** Asks the forge, which people change it at, too; what it says otherwise is recorded, so that everybody sees it. */
async function requireState(
  context: PullRequestContext,
  { request, wanted, known }: CheckedChange,
  state: 'open' | 'closed',
  signal: AbortSignal,
): Promise<void> {
  const { key, number } = request
  const found = await askedState(context, wanted, number, signal)
  if (found === state) return
  if (known && found) {
    await context.records.changePullRequest(key, () => ({ ...known, state: found, message: '' }))
  }
  throw moved(`pull request ${number} is ${found ?? 'gone'}`)
}
