import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { settingsDigest } from '../operator-settings.ts'
import type { ObservedGroup } from '../run/branch-run.ts'
import { groupsOf, isOutOfReach, isRequested, isSettled } from '../run/observe/groups.ts'
import { failedBefore, failureInputs, pollPause } from '../run/report/failure-inputs.ts'
import type { RunContext } from '../run/run-context.ts'
import { observeBranches, type ObservedBranch } from './observe-branches.ts'
import type { Wake } from './wake.ts'

/**
 * Looks at every repository at the start, once per interval, and at once when it is woken, and queues the branches that are not what git
 * and the objects ask for or that somebody else changed. This is what makes every other trigger a hint: whatever got lost
 * is found here. Of the hydrators that share a memory, one polls in each interval; the next one that can takes its place.
 */
export async function pollRepositories(
  context: RunContext,
  queue: BranchQueue,
  { intervalMs, wake, memory }: { intervalMs: number; wake: Wake; memory: SharedMemory },
  signal: AbortSignal,
): Promise<void> {
  let isWanted = true
  while (!signal.aborted) {
    const claimedByOtherMs = await memory.claim('poll', intervalMs)
    if (isWanted || claimedByOtherMs === 0) await pollOnce(context, queue, signal)
    isWanted = await wake.wait(claimedByOtherMs || intervalMs, signal)
  }
}

async function pollOnce(context: RunContext, queue: BranchQueue, signal: AbortSignal): Promise<void> {
  try {
    for (const branch of await observeBranches(context, signal)) {
      for (const group of branch.groups) noteNewCommit(context, group)
      if (needsRun(branch, Date.now())) await queue.enqueue(branch.key)
    }
  } catch (error) {
    if (!signal.aborted) context.events.pollFailed(error)
  }
}

/** A commit that no run has seen yet was found by this poll first. */
function noteNewCommit(
  { news }: Pick<RunContext, 'news'>,
  { before, drySha, chart, repoUrl }: ObservedGroup,
): void {
  if (before?.phase === 'Hydrated' && drySha !== '' && chart === '' && before.success?.drySha !== drySha) {
    news.found(repoUrl)
  }
}

/** The keys of the branches that are fed from a dry repository, in any spelling of its URL. */
export function branchesFedFrom({ index }: Pick<RunContext, 'index'>, repoUrl: string): string[] {
  const wanted = repositoryIdentity(repoUrl)
  const isFed = (key: string): boolean =>
    groupsOf(index.members(key), []).some(({ sources }) =>
      sources.some((source) => repositoryIdentity(source.repoUrl) === wanted),
    )
  return index.branchKeys().filter(isFed)
}

/** Returns true if a run has something to do for a branch that a poll has read. */
function needsRun(observed: ObservedBranch, now: number): boolean {
  return observed.groups.some((group) => isOpen(group, observed, now)) || isChanged(observed)
}

/** Returns true if a group is not as wanted, and not known to fail in the same way again. */
function isOpen(group: ObservedGroup, observed: ObservedBranch, now: number): boolean {
  if (isRequested(group)) return true
  if (isOutOfReach(group)) return false
  const { settings, renderers, control, groups } = observed
  if (isSettled(group, settingsDigest(settings, renderers))) return false
  if (group.before?.phase !== 'Failed' || !observed.destination) return true
  const { destination } = observed
  const inputs = failureInputs(group, groups, {
    settings,
    renderers,
    control,
    destination,
    blockedAt: blockedAt(observed),
  })
  const failed = failedBefore(group, inputs, destination)
  if (!failed) return true
  if (failed.retry === 'change') return false
  // The queue tries sooner; a poll finds what the queue has lost or given up.
  return now - Date.parse(group.before.finishedAt ?? '') > pollPause(failed.attempts)
}

/** Returns true if the branch's head is one that no run has read under the operator's present policy. */
function isChanged({ record, headSha, settings }: ObservedBranch): boolean {
  if (!record || headSha === undefined) return false
  const known = knownHeadOf(record.status)
  const { foreignChange } = record.status
  if (foreignChange)
    return headSha !== foreignChange.headSha || settings.foreignChanges !== foreignChange.policy
  return known !== '' && headSha !== known
}

function blockedAt({ record, headSha, settings }: ObservedBranch): string {
  const foreignChange = record?.status.foreignChange
  if (!foreignChange || settings.foreignChanges !== 'block' || headSha !== foreignChange.headSha) return ''
  return headSha || 'deleted'
}
