import { ConflictError, DomainError, errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkTemplates } from '../documents/render-documents.ts'
import { settingsDigest } from '../operator-settings.ts'
import { abandonBranch } from './abandon-branch.ts'
import type { BranchRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'
import { isSettled } from './groups.ts'
import { hydrateGroup } from './hydrate-group.ts'
import { observe } from './observe.ts'
import { reportEnd, reportStart } from './report.ts'
import { validate } from './validate.ts'

const attempts = 4

type Step = (run: BranchRun, context: RunContext, signal: AbortSignal) => Promise<void>

/** What a run does once it knows what is wanted and what is there. */
const steps: readonly Step[] = [validate, checkOperatorSettings, reportStart, hydrateGroups]

/**
 * Brings one hydrated branch to what git and the objects ask for, whoever asked and however often. When another run
 * moved the branch meanwhile it starts over from what is there now.
 * @throws the error of a failed group when it is worth trying again; what users must mend is told in the status alone.
 */
export async function runBranch(context: RunContext, key: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await runOnce(context, key, signal)
      return
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === attempts) throw error
    }
  }
}

async function runOnce(context: RunContext, key: string, signal: AbortSignal): Promise<void> {
  const started = performance.now()
  const run = await observe(context, key, signal)
  if (!run) return abandonBranch(context, key, signal)
  if (isDone(run)) return
  try {
    for (const step of steps) {
      context.events.step(step.name, run)
      await step(run, context, signal)
    }
  } catch (error) {
    if (error instanceof ConflictError || signal.aborted) throw error
    for (const group of run.groups)
      group.failure ??= { message: errorMessage(error), failures: [], cause: error }
  }
  const milliseconds = Math.round(performance.now() - started)
  context.events.step('report', run)
  await reportEnd(run, context, milliseconds)
  context.events.finished(run, milliseconds)
  const retry = run.groups
    .map((group) => group.failure?.cause)
    .find((cause) => cause !== undefined && isRetryable(cause))
  if (retry !== undefined) throw retry
}

async function checkOperatorSettings(run: BranchRun, context: RunContext): Promise<void> {
  if (run.settings.fault !== '') throw new InvalidInputError(run.settings.fault)
  checkTemplates(await context.templates(), run.settings)
}

async function hydrateGroups(run: BranchRun, context: RunContext, signal: AbortSignal): Promise<void> {
  for (const group of run.groups) {
    if (group.failure) continue
    try {
      await hydrateGroup(run, group, context, signal)
    } catch (cause) {
      if (cause instanceof ConflictError || signal.aborted) throw cause
      group.failure = { message: errorMessage(cause), failures: [], cause }
    }
  }
}

/** Whether the branch already is what every group asks for, by the record and by the branch itself. */
function isDone(run: BranchRun): boolean {
  if (run.hard || !run.held) return false
  const settings = settingsDigest(run.settings, run.renderers)
  return (
    run.groups.every((group) => isSettled(group, settings)) &&
    run.groups.some((group) => group.drySha === run.position.drySha)
  )
}

function isRetryable(cause: unknown): boolean {
  return !(cause instanceof DomainError) || cause.retryable
}
