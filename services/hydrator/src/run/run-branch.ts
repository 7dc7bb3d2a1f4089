import {
  ConflictError,
  errorMessage,
  FailedPreconditionError,
  InvalidInputError,
} from '@wadi/errors/domain-error.ts'
import { checkTemplates } from '../documents/render-documents.ts'
import { abandonBranch } from './abandon-branch.ts'
import type { BranchRun, GroupOfRun, ValidatedRun } from './branch-run.ts'
import { blockedMessage, isBlocked, wantsRestore } from './foreign-change.ts'
import { lookBack } from './look-back.ts'
import type { RunContext } from './run-context.ts'
import { commitRendered } from './commit.ts'
import { failureOf } from './directory-faults.ts'
import { inspect } from './inspect.ts'
import { observe } from './observe.ts'
import { retryCause } from './group-outcome.ts'
import { reportEnd, reportStart, reportUnchanged } from './report.ts'
import { isDone, markResting } from './rest.ts'
import { renderChanged } from './render.ts'
import { restore } from './restore.ts'
import { validate } from './validate.ts'
import { wantedCommits } from './wanted-commits.ts'

const attempts = 4

/** A step of a run. Its name is in the log; a run that is killed at any of them is made up for by the next. */
interface Step {
  readonly name: string
  readonly run: (context: RunContext, run: ValidatedRun, signal: AbortSignal) => Promise<void>
}

/** What a run does once its members are validated; each group is then inspected, rendered and committed. */
const steps: readonly Step[] = [
  { name: 'checkOperatorSettings', run: checkOperatorSettings },
  { name: 'reportStart', run: reportStart },
  { name: 'hydrateGroups', run: hydrateGroups },
]

/**
 * Brings one hydrated branch to what git and the objects ask for, whoever asked and however often. When another run
 * moved the branch meanwhile it starts over from what is there now.
 * @throws an error that is worth trying again; an error that needs a fix is reported only in the status.
 */
export async function runBranch(context: RunContext, key: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await runOnce(context, key, signal)
      return
    } catch (error) {
      if (!(error instanceof ConflictError) || tries === attempts) throw error
    }
  }
}

async function runOnce(context: RunContext, key: string, signal: AbortSignal): Promise<void> {
  const started = performance.now()
  const run = await observe(context, key, signal)
  if (!run) return abandonBranch(context, key, signal)
  if (run.foreign && run.before?.foreignChange?.headSha !== run.foreign.headSha) {
    context.events.foreignChange(run, run.foreign)
  }
  markResting(run)
  if (isDone(run)) return reportUnchanged(context, run)
  if (wantsRestore(run)) {
    await attempt(run, () => restore(context, run, signal), signal)
    markResting(run)
    if (isDone(run)) return reportUnchanged(context, run)
  }
  const takeAll = async (): Promise<void> => {
    if (isBlocked(run)) throw new FailedPreconditionError(blockedMessage(run))
    await takeSteps(context, run, signal)
  }
  await attempt(run, takeAll, signal)
  await attempt(run, () => lookBack(context, run, signal), signal)
  const milliseconds = Math.round(performance.now() - started)
  context.events.step('report', run)
  await reportEnd(context, { run, milliseconds })
  context.events.finished(run, milliseconds)
  if (run.rebuiltFrom !== undefined && wantsRestore(run)) throw movedMeanwhile(run)
  const retry = retryCause(run)
  if (retry) throw retry
}

/** Takes a step for the whole branch; when it fails, so do all groups that have something to do. */
async function attempt(run: BranchRun, step: () => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await step()
  } catch (cause) {
    if (cause instanceof ConflictError || signal.aborted) throw cause
    const failing = run.groups.filter((group) => !group.rests)
    for (const group of failing) group.failure ??= { message: errorMessage(cause), failures: [], cause }
  }
}

function movedMeanwhile({ branch }: BranchRun): ConflictError {
  return new ConflictError(
    `branch ${branch} was changed by somebody else during the run; it is compared again`,
  )
}

/** A run that cannot even begin, because a repository is away, leaves the record of the last one in place until it ends. */
async function takeSteps(context: RunContext, run: BranchRun, signal: AbortSignal): Promise<void> {
  if (run.groups.every((group) => group.rests || group.failure)) return
  context.events.step('validate', run)
  const validated = await validate(context, run)
  for (const step of steps) {
    context.events.step(step.name, run)
    await step.run(context, validated, signal)
  }
}

async function checkOperatorSettings(context: RunContext, run: ValidatedRun): Promise<void> {
  if (run.settings.fault !== '') throw new InvalidInputError(run.settings.fault)
  checkTemplates(await context.templates(), run.settings)
}

async function hydrateGroups(context: RunContext, run: ValidatedRun, signal: AbortSignal): Promise<void> {
  for (const group of run.groups) {
    if (group.failure || group.rests) continue
    try {
      await hydrateGroup(context, { run, group }, signal)
    } catch (cause) {
      if (cause instanceof ConflictError || signal.aborted) throw cause
      group.failure = { message: errorMessage(cause), failures: [], cause }
    }
  }
}

/**
 * Brings one group of a branch to its newest dry commit, one dry commit after the other. One in between that cannot be
 * rendered is passed over, as a later one may have fixed it; an error in the newest fails the group and leaves the branch
 * as it was.
 */
async function hydrateGroup(
  context: RunContext,
  { run, group }: GroupOfRun,
  signal: AbortSignal,
): Promise<void> {
  for (const { drySha, keepDate } of await wantedCommits(context, { run, group }, signal)) {
    const plan = await inspect(context, { run, group, drySha }, signal)
    let { faults } = plan
    if (faults.failures.length === 0) {
      const rendered = renderChanged(context, { run, group, plan }, signal)
      faults = await commitRendered(context, { run, group, plan, rendered, keepDate }, signal)
    }
    if (faults.failures.length === 0) group.hydratedSha = run.position.headSha
    else if (drySha === group.drySha) group.failure = failureOf(faults)
    else context.events.passedOver(run, drySha, faults.failures)
  }
}
