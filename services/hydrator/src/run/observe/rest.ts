import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { settingsDigest } from '../../operator-settings.ts'
import type { ObservedGroup, ObservedRun } from '../branch-run.ts'
import { heldSources } from '../inspect/dry-commits.ts'
import { failedBefore, failureInputs, type RunInputs } from '../report/failure-inputs.ts'
import { isBlocked, wantsRestore } from './foreign-change.ts'
import { isOutOfReach, isRequested, isSettled } from './groups.ts'
import { isLeftToOther } from './other-installation.ts'
import type { RunInProgress, RunOutcome } from '../run-outcome.ts'

/** The present state of the branch. */
type BranchNow = Pick<RunOutcome, 'foreign' | 'position' | 'known' | 'failures'>

/** Returns the inputs that decide the outcome of a run. */
export function inputsOf(run: ObservedRun, { foreign }: Pick<RunOutcome, 'foreign'>): RunInputs {
  const { settings, renderers, control, destination } = run
  const blockedAt = blockedState(run, { foreign })
  return { settings, renderers, control, destination, blockedAt }
}

/** Returns the state that keeps the branch from being hydrated; empty if nothing does. */
function blockedState(run: ObservedRun, { foreign }: Pick<RunOutcome, 'foreign'>): string {
  if (isLeftToOther(run)) return `installation ${run.position.installation}`
  return isBlocked(run, { foreign }) ? foreign?.headSha || 'deleted' : ''
}

/** The groups that a run leaves as they are: those that are as wanted, and those that fail until something changes. */
export function restingGroups(run: ObservedRun, now: BranchNow): ReadonlySet<ObservedGroup> {
  if (run.hard) return new Set()
  const settings = settingsDigest(run.settings, run.renderers)
  const inputs = inputsOf(run, now)
  // With a head whose origin is not known the whole branch is compared.
  const isKnown = now.known !== undefined || isAsLeft(run, now)
  const rests = (group: ObservedGroup): boolean => {
    if (!isBlocked(run, now) && !now.failures.has(group) && isSettled(group, settings)) {
      if (isMisnoted(run, now)) return false
      return isKnown || leavesForeignChange(run, now)
    }
    return waitsForChange(run, group, { inputs, isHeldBack: isBlocked(run, now) })
  }
  return new Set(run.groups.filter(rests))
}

/** Returns true if there is nothing to do for the branch: every group rests, and the branch is as it was left. */
export function isDone({ run, outcome }: RunInProgress): boolean {
  if (run.hard || wantsRestore(run, outcome) || !run.groups.every((group) => outcome.resting.has(group))) {
    return false
  }
  if (outcome.foreign || isMerged(run, outcome)) return true
  const isHydrated = run.groups.some(({ before }) => before?.phase === 'Hydrated')
  return !isHydrated || run.groups.some((group) => holdsCommit({ outcome }, group))
}

/** Returns true if the dry commit that the branch's note names is of a source of the group. */
function holdsCommit(
  { outcome }: { outcome: Pick<RunOutcome, 'landed' | 'position'> },
  group: ObservedGroup,
): boolean {
  return heldSources(outcome, group).some(({ sha }) => sha === outcome.position.drySha)
}

function waitsForChange(
  run: ObservedRun,
  group: ObservedGroup,
  { inputs, isHeldBack }: { inputs: RunInputs; isHeldBack: boolean },
): boolean {
  if (isRequested(group) && !isHeldBack) return false
  if (isOutOfReach(group)) return true
  const failed = failedBefore(group, failureInputs(group, run.groups, inputs), run.destination)
  return failed?.retry === 'change'
}

/** Returns whether others wrote a note on the head that a run left by which promoters wait for nothing, as it cannot be read or names another dry commit. */
function isMisnoted(run: ObservedRun, now: BranchNow): boolean {
  const { headSha, noteProblem, drySha, noteId } = now.position
  if (headSha === '' || now.foreign !== undefined || !isAsLeft(run, now)) return false
  if (noteProblem) return true
  const isKnown = run.groups.some((group) => holdsCommit({ outcome: { landed: [], ...now } }, group))
  return noteId !== '' && drySha !== '' && !isKnown
}

/** Returns true if the branch's head is the one that the last run left. */
function isAsLeft(run: ObservedRun, now: BranchNow): boolean {
  if (run.before === undefined) return false
  const { headSha } = now.position
  return headSha === '' ? isMerged(run, now) : knownHeadOf(run.before) === headSha
}

/** Returns true if a staging branch is gone because it was merged; the next dry commit creates it again. */
function isMerged({ before, destination }: ObservedRun, { position, foreign }: BranchNow): boolean {
  const wasThere = before?.groups.some(({ success }) => success !== undefined) ?? false
  return wasThere && position.headSha === '' && foreign === undefined && destination.error === ''
}

/** A foreign change that is only reported waits for the next hydration, which somebody or a dry commit asks for. */
function leavesForeignChange({ groups }: ObservedRun, { foreign }: BranchNow): boolean {
  return foreign !== undefined && !groups.some((group) => isRequested(group))
}
