import {
  ConflictError,
  errorMessage,
  FailedPreconditionError,
  InvalidInputError,
} from '@wadi/errors/domain-error.ts'
import { checkTemplates } from '../documents/render-documents.ts'
import { abandonBranch } from './abandon-branch.ts'
import type { BranchRun } from './branch-run.ts'
import { blockedMessage, isBlocked, wantsRestore } from './foreign-change.ts'
import { lookBack } from './look-back.ts'
import type { RunContext } from './run-context.ts'
import { hydrateGroup } from './hydrate-group.ts'
import { observe } from './observe.ts'
import { retryCause } from './group-outcome.ts'
import { reportEnd, reportStart, reportUnchanged } from './report.ts'
import { isDone, markResting } from './rest.ts'
import { restore } from './restore.ts'
import { validate } from './validate.ts'

const attempts = 4

type Step = (run: BranchRun, context: RunContext, signal: AbortSignal) => Promise<void>

/** What a run does once it knows what is wanted and what is there. */
const steps: readonly Step[] = [validate, checkOperatorSettings, reportStart, hydrateGroups]

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
  if (isDone(run)) return reportUnchanged(run, context)
  if (wantsRestore(run)) {
    await attempt(run, signal, () => restore(run, context, signal))
    markResting(run)
    if (isDone(run)) return reportUnchanged(run, context)
  }
  await attempt(run, signal, async () => {
    if (isBlocked(run)) throw new FailedPreconditionError(blockedMessage(run))
    await takeSteps(run, context, signal)
  })
  await attempt(run, signal, () => lookBack(run, context, signal))
  const milliseconds = Math.round(performance.now() - started)
  context.events.step('report', run)
  await reportEnd(run, context, milliseconds)
  context.events.finished(run, milliseconds)
  if (run.rebuiltFrom !== undefined && wantsRestore(run)) throw movedMeanwhile(run)
  const retry = retryCause(run)
  if (retry) throw retry
}

/** Takes a step for the whole branch; when it fails, so do all groups that have something to do. */
async function attempt(run: BranchRun, signal: AbortSignal, step: () => Promise<void>): Promise<void> {
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
async function takeSteps(run: BranchRun, context: RunContext, signal: AbortSignal): Promise<void> {
  if (run.groups.every((group) => group.rests || group.failure)) return
  for (const step of steps) {
    context.events.step(step.name, run)
    await step(run, context, signal)
  }
}

async function checkOperatorSettings(run: BranchRun, context: RunContext): Promise<void> {
  if (run.settings.fault !== '') throw new InvalidInputError(run.settings.fault)
  checkTemplates(await context.templates(), run.settings)
}

async function hydrateGroups(run: BranchRun, context: RunContext, signal: AbortSignal): Promise<void> {
  for (const group of run.groups) {
    if (group.failure || group.rests) continue
    try {
      await hydrateGroup(run, group, context, signal)
    } catch (cause) {
      if (cause instanceof ConflictError || signal.aborted) throw cause
      group.failure = { message: errorMessage(cause), failures: [], cause }
    }
  }
}
