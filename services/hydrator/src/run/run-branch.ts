import { setTimeout as pause } from 'node:timers/promises'
import { ConflictError, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isServiceAway } from '@wadi/rpc/service-away.ts'
import { inSpan } from '@wadi/telemetry/span.ts'
import { documentTemplates } from '../documents/render-documents.ts'
import { abandonBranch } from './commit/abandon-branch.ts'
import { beginOutcome } from './begin-outcome.ts'
import { commitRendered, mayMoveBranch } from './commit/commit.ts'
import type { MadeInPass } from './definitions/made-kinds.ts'
import { type DirectoryErrors, failureFrom, failureOf } from './directory-errors.ts'
import { failedRun, retryCause } from './report/failed-run.ts'
import { blockedMessage, isBlocked, wantsRestore } from './observe/foreign-change.ts'
import { inspect, type WantedOfGroup } from './inspect/inspect.ts'
import { lookBack } from './observe/look-back.ts'
import { observe } from './observe/observe.ts'
import { renderChanged } from './render/render.ts'
import { reportEnd, reportStart, reportUnchanged } from './report/report.ts'
import { throughOutage } from './observe/through-outage.ts'
import { isDone, restingGroups } from './observe/rest.ts'
import { restore } from './commit/restore.ts'
import type { RunContext } from './run-context.ts'
import {
  type GroupOfRun,
  openGroups,
  rebuiltFrom,
  type RunInProgress,
  type ValidatedInProgress,
} from './run-outcome.ts'
import { validate } from './validate/validate.ts'
import { wantedCommits } from './inspect/wanted-commits.ts'

const maxAttempts = 4

/** So long a service of the mesh may be away before that is an error of the Applications: a restart takes seconds. */
const maxAwayMs = 60_000
const longestPauseMs = 2_000

/** So many runs in a row may end at a dry commit in between, for errors that may pass, before it is passed over. */
const maxRunsInBetween = 5

/**
 * A step of a run: it reads what was observed or validated, and writes what it did into the outcome. A run that is
 * killed at any step is made up for by the next.
 */
interface Step<Input extends RunInProgress, Output> {
  /** Its name in the log. */
  readonly name: string
  readonly run: (context: RunContext, input: Input, signal: AbortSignal) => Output | Promise<Output>
}

/** The steps of a run after its observation, in their order. */
const branchSteps = {
  restore: { name: 'restore', run: restore },
  validate: { name: 'validate', run: validate },
  checkOperatorSettings: { name: 'checkOperatorSettings', run: checkOperatorSettings },
  hydrateGroups: { name: 'hydrateGroups', run: hydrateGroups },
  lookBack: { name: 'lookBack', run: lookBack },
  report: { name: 'report', run: recorded(reportEnd) },
}

/**
 * The steps of `hydrateGroups` for each dry commit of a group, in their order; the commit reads the render's stream. A run
 * that only notes the dry commit is not recorded as under way: it is over at once, and leaves no commit to be made up for.
 */
const groupSteps = {
  inspect: { name: 'inspect', run: inspect },
  reportStart: { name: 'reportStart', run: recorded(reportStart) },
  render: { name: 'render', run: renderChanged },
  commit: { name: 'commit', run: commitRendered },
}

/**
 * Brings one hydrated branch to what git and the objects ask for, whoever asked and however often. When another run
 * moved the branch meanwhile it starts over from what is there now, and so it does for a minute while a service of the mesh is away.
 * @throws an error that is worth trying again; an error that needs a fix is reported only in the status.
 */
export async function runBranch(context: RunContext, key: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + maxAwayMs
  for (let conflicts = 1, pauseMs = 250; ;) {
    try {
      await runOnce(context, key, signal, performance.now() < deadline)
      return
    } catch (error) {
      if (isServiceAway(error) && performance.now() < deadline) {
        await pause(pauseMs, undefined, { signal })
        pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      } else if (error instanceof ConflictError && conflicts < maxAttempts) conflicts++
      else throw error
    }
  }
}

/** @param awaitsServices true to end the run without an outcome if a service of the mesh is unreachable */
async function runOnce(
  context: RunContext,
  key: string,
  signal: AbortSignal,
  awaitsServices: boolean,
): Promise<void> {
  const started = performance.now()
  await using log = context.runs.begin(key)
  const run = await inSpan('observe', {}, () => log.step('observe', '', () => observe(context, key, signal)))
  if (!run) return await abandonBranch(context, key, signal)
  if (run.foreign && run.before?.foreignChange?.headSha !== run.foreign.headSha) {
    context.events.foreignChange(run, run.foreign)
  }
  const outcome = beginOutcome(run)
  const all = { run, outcome }
  const done = async () => {
    await reportUnchanged(context, all)
    await context.runs.endUnchanged(all)
  }
  if (isDone(all)) return await done()
  if (wantsRestore(run, outcome)) {
    await attempt(all, () => take(context, branchSteps.restore, all, signal), signal)
    outcome.resting = restingGroups(run, outcome)
    if (isDone(all)) return await done()
  }
  await attempt(all, () => hydrate(context, all, signal), signal)
  await attempt(all, () => take(context, branchSteps.lookBack, all, signal), signal)
  const away = awaitsServices && [...outcome.failures.values()].find(({ cause }) => isServiceAway(cause))
  if (away) throw away.cause
  const milliseconds = Math.round(performance.now() - started)
  await take(context, branchSteps.report, { ...all, milliseconds }, signal)
  context.events.finished(all, milliseconds)
  await context.runs.end(all)
  if (rebuiltFrom(outcome) !== undefined && wantsRestore(run, outcome)) throw movedMeanwhile(all)
  const retry = retryCause(all)
  if (retry) throw retry
}

/** A run that cannot even begin, because a repository is unreachable, leaves the record of the last one in place until it ends. */
async function hydrate(
  context: RunContext,
  { run, outcome }: RunInProgress,
  signal: AbortSignal,
): Promise<void> {
  if (isBlocked(run, outcome)) throw new FailedPreconditionError(blockedMessage(run, outcome))
  if (openGroups(run, outcome).length === 0) return
  const all = { run: await take(context, branchSteps.validate, { run, outcome }, signal), outcome }
  await take(context, branchSteps.checkOperatorSettings, all, signal)
  await take(context, branchSteps.hydrateGroups, all, signal)
}

function recorded<Input extends RunInProgress>(report: (context: RunContext, input: Input) => Promise<void>) {
  return (context: RunContext, input: Input, signal: AbortSignal) =>
    throughOutage(() => report(context, input), signal)
}

/** Takes one step, which events see first. */
async function take<Input extends RunInProgress, Output>(
  context: RunContext,
  step: Step<Input, Output>,
  input: Input,
  signal: AbortSignal,
): Promise<Output> {
  context.events.step(step.name, input.run)
  const work = async () => step.run(context, input, signal)
  const drySha = 'drySha' in input && typeof input.drySha === 'string' ? input.drySha : ''
  return inSpan(step.name, {}, () => context.runs.step(input.run.key, step.name, drySha, work))
}

/** Does something for the whole branch; when it fails, so do all groups that have something to do. */
async function attempt(
  { run, outcome }: RunInProgress,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (cause instanceof ConflictError || signal.aborted) throw cause
    const failure = failureFrom(cause)
    for (const group of openGroups(run, outcome)) outcome.failures.set(group, failure)
  }
}

function movedMeanwhile({ run }: RunInProgress): ConflictError {
  return new ConflictError(
    `branch ${run.branch} was changed by somebody else during the run; it is compared again`,
  )
}

async function checkOperatorSettings(context: RunContext, { run }: ValidatedInProgress): Promise<void> {
  if (run.settings.error !== '') throw new InvalidInputError(run.settings.error)
  await documentTemplates(context.templates, run.settings)
}

async function hydrateGroups(
  context: RunContext,
  { run, outcome }: ValidatedInProgress,
  signal: AbortSignal,
): Promise<void> {
  for (const group of openGroups(run, outcome)) {
    try {
      await hydrateGroup(context, { run, outcome, group }, signal)
    } catch (cause) {
      if (cause instanceof ConflictError || signal.aborted) throw cause
      outcome.failures.set(group, failureFrom(cause))
    }
  }
}

/**
 * Brings one group of a branch to its newest dry commit, one dry commit after the other. One in between that cannot be
 * rendered is passed over, as a later one may have fixed it; an error in the newest, or one that may pass, fails the group
 * and leaves the branch as it was.
 */
async function hydrateGroup(context: RunContext, ofRun: GroupOfRun, signal: AbortSignal): Promise<void> {
  const { run, outcome, group } = ofRun
  context.runs.of(run.key)?.expects(run.directories.get(group)?.length ?? 0)
  for (const wanted of await wantedCommits(context, ofRun, signal)) {
    const errors = await hydrateCommit(context, { ...ofRun, ...wanted }, signal)
    if (errors.failures.length === 0) continue
    if (wanted.drySha === group.drySha || isTriedAgain(ofRun, errors)) {
      return void outcome.failures.set(group, failureOf(errors))
    }
    context.events.passedOver(run, wanted.drySha, errors.failures)
  }
}

/** Brings a group to one dry commit. Where that changes definitions by which objects of others are checked, these are checked again before the push. */
async function hydrateCommit(
  context: RunContext,
  wanted: WantedOfGroup,
  signal: AbortSignal,
): Promise<DirectoryErrors> {
  const { run, outcome, group, drySha } = wanted
  const log = context.runs.of(run.key)
  for (let made: MadeInPass | undefined; ;) {
    const plan = await take(context, groupSteps.inspect, { ...wanted, made }, signal)
    const planned = { ...wanted, made, plan }
    log?.rejected(drySha, plan.errors, run.directories.get(group) ?? [])
    if (plan.errors.failures.length > 0) return plan.errors
    if (!outcome.isStarted && mayMoveBranch(planned)) {
      await take(context, groupSteps.reportStart, planned, signal)
    }
    const before = outcome.rendered
    const changed = await take(context, groupSteps.render, planned, signal)
    const rendered = log?.watched(drySha, changed) ?? changed
    const errors = await take(context, groupSteps.commit, { ...planned, rendered }, signal)
    if (!plan.outdatedBy) return errors
    outcome.rendered = before
    made = plan.outdatedBy
  }
}

/** Returns whether a dry commit in between gets another run, which may give it the hydrated commit that it would lose. */
function isTriedAgain({ run, outcome, group }: GroupOfRun, { mayPass }: DirectoryErrors): boolean {
  return mayPass && failedRun({ run, outcome }, group).attempts <= maxRunsInBetween
}
