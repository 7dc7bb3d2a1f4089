import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { settingsDigest } from '../operator-settings.ts'
import type { ObservedGroup } from '../run/branch-run.ts'
import { failedBefore, failureInputs, pollPause } from '../run/report/failure-inputs.ts'
import { isOutOfReach, isRequested, isSettled } from '../run/observe/groups.ts'
import type { ObservedBranch } from './observe-branches.ts'

/** Returns true if a run has something to do for a branch that a poll has read. */
export function needsRun(observed: ObservedBranch, now: number): boolean {
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
