import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { settingsDigest } from '../operator-settings.ts'
import type { BranchRun, GroupRun } from './branch-run.ts'
import { heldOf } from './dry-commits.ts'
import { failedBefore, failureInputs, type RunInputs } from './failure-inputs.ts'
import { isBlocked, wantsRestore } from './foreign-change.ts'
import { isOutOfReach, isRequested, isSettled } from './groups.ts'

/** What decides the outcome of a run, as it was observed. */
export function inputsOf(run: BranchRun): RunInputs {
  const { settings, renderers, control, destination } = run
  return { settings, renderers, control, destination, blockedAt: isBlocked(run) ? blockedAt(run) : '' }
}

/** Marks the groups that this run leaves as they are: those that are as wanted, and those that fail until something changes. */
export function markResting(run: BranchRun): void {
  const settings = settingsDigest(run.settings, run.renderers)
  const inputs = inputsOf(run)
  // With a head whose origin is not known the whole branch is compared.
  const isKnown = run.held !== undefined || isAsLeft(run)
  for (const group of run.groups) {
    if (run.hard) group.rests = false
    else if (!isBlocked(run) && isSettled(group, settings)) group.rests = isKnown || leavesForeignChange(run)
    else group.rests = waitsForChange(group, run, inputs)
  }
}

/** Whether there is nothing to do for the branch: every group rests, and the branch is as it was left. */
export function isDone(run: BranchRun): boolean {
  if (run.hard || wantsRestore(run) || !run.groups.every((group) => group.rests)) return false
  if (run.foreign || isMerged(run)) return true
  const isHydrated = run.groups.some(({ before }) => before?.phase === 'Hydrated')
  return !isHydrated || run.groups.some((group) => heldOf(run, group) === run.position.drySha)
}

function waitsForChange(group: GroupRun, run: BranchRun, inputs: RunInputs): boolean {
  if (isRequested(group) && !isBlocked(run)) return false
  if (isOutOfReach(group)) return true
  const failed = failedBefore(group, failureInputs(group, run.groups, inputs), run.destination)
  return failed?.retry === 'change'
}

/** Whether the branch's head is the one that the last run left. */
function isAsLeft(run: BranchRun): boolean {
  const { before, position } = run
  if (before === undefined) return false
  return position.headSha === '' ? isMerged(run) : knownHeadOf(before) === position.headSha
}

/** Whether a staging branch is gone because it was merged; the next dry commit creates it again. */
function isMerged({ before, position, foreign, destination }: BranchRun): boolean {
  const wasThere = before?.groups.some(({ success }) => success !== undefined) ?? false
  return wasThere && position.headSha === '' && foreign === undefined && destination.error === ''
}

/** A foreign change that is only reported waits for the next hydration, which somebody or a dry commit asks for. */
function leavesForeignChange(run: BranchRun): boolean {
  return run.foreign !== undefined && !run.groups.some((group) => isRequested(group))
}

function blockedAt({ foreign }: BranchRun): string {
  return foreign?.headSha || 'deleted'
}
