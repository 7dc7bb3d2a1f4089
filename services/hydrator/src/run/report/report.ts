import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import {
  type GroupStatus,
  type HydratedBranchStatus,
  type HydratedSource,
  type HydrationPhase,
  knownHeadOf,
  type RecordedFindings,
} from '@wadi/hydration/hydrated-branch.ts'
import { repeatedAmong } from '@wadi/hydration/repeated-objects.ts'
import { mutatePart } from '@wadi/resources/store/resource-store.ts'
import type { Member } from '../../applications/application-index.ts'
import { requestIdOf, withoutRequest } from '@wadi/resources/application/hydration-request.ts'
import { settingsDigest } from '../../operator-settings.ts'
import type { ObservedGroup, ObservedRun, ObservedSource } from '../branch-run.ts'
import { namedByGroup } from '../branch-tools.ts'
import { failedRun } from './failed-run.ts'
import { isLeftToOther } from '../observe/other-installation.ts'
import { recordedFindings } from './recorded-findings.ts'
import { recordedProof } from './recorded-proof.ts'
import { recordedWarnings } from './recorded-warnings.ts'
import { changeMember, reportMembers } from './report-members.ts'
import type { RunContext } from '../run-context.ts'
import { factsOf } from '../../applications/member-facts.ts'
import { landedFor, type RunInProgress, type RunOutcome } from '../run-outcome.ts'

/** Records that the run's groups are being hydrated. */
export async function reportStart(context: RunContext, { run, outcome }: RunInProgress): Promise<void> {
  const status = recordOf({ run, outcome, phase: 'Hydrating', milliseconds: 0 })
  await context.records.write(run, status)
  outcome.isStarted = true
}

/** Records the outcome: one write for the branch, and those for its Applications that `reportMembers` and a request ask for. */
export async function reportEnd(
  context: RunContext,
  { run, outcome, milliseconds }: RunInProgress & { milliseconds: number },
): Promise<void> {
  const status = recordOf({ run, outcome, phase: 'Hydrated', milliseconds })
  if (!run.settings.isLeftToArgoCd) await reportMembers(context, { run, outcome }, status)
  await context.records.write(run, status)
  await dropRequests(context, run)
}

/** Records of a run with nothing to do what was seen of the branch, and that requests are served; the operation stays. */
export async function reportUnchanged(context: RunContext, { run, outcome }: RunInProgress): Promise<void> {
  const { before } = run
  if (before) {
    const { head: _head, foreignChange: _change, repeated: _repeated, ...rest } = before
    const status = { ...rest, ...branchSeen({ run, outcome }), ...repeatedIn({ run, outcome }) }
    if (canonicalJson(status) !== canonicalJson(before)) await context.records.write(run, status)
  }
  await dropRequests(context, run)
}

async function dropRequests(context: RunContext, run: ObservedRun): Promise<void> {
  if (run.settings.isLeftToArgoCd) return
  for (const { members } of run.groups) {
    for (const member of factsOf(members).requested) await dropRequest(context, member)
  }
}

function recordOf({
  run,
  outcome,
  phase,
  milliseconds,
}: RunInProgress & { phase: HydrationPhase; milliseconds: number }): HydratedBranchStatus {
  const ended = phase !== 'Hydrating'
  const warnings = warningsOf({ run, outcome })
  return {
    groups: run.groups.flatMap((group) => groupStatus({ run, outcome }, group, phase)),
    applications: run.groups.reduce((sum, group) => sum + group.members.length, 0),
    rendered: outcome.rendered,
    milliseconds,
    ...(ended ? branchSeen({ run, outcome }) : branchAtStart({ run, outcome })),
    ...leftTo(run),
    ...(Object.keys(run.defaultTools).length > 0 && { tools: run.defaultTools }),
    ...repeatedIn({ run, outcome }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Returns the objects that several Applications make, without those that are gone. */
function repeatedIn({ run, outcome }: RunInProgress): Pick<HydratedBranchStatus, 'repeated'> {
  const known = outcome.repeated ?? run.before?.repeated ?? []
  if (known.length === 0) return {}
  const names = new Set(run.groups.flatMap(({ members }) => members.map(({ name }) => name)))
  const repeated = repeatedAmong(known, (application) => names.has(application))
  return repeated.length > 0 ? { repeated } : {}
}

function leftTo(run: ObservedRun): Pick<HydratedBranchStatus, 'leftTo'> {
  if (run.settings.isLeftToArgoCd) return { leftTo: 'argo-cd' }
  return isLeftToOther(run) ? { leftTo: 'other-installation' } : {}
}

/** The head that later runs compare with, and what somebody else did since, unless a run has written over it. */
function branchSeen({ run, outcome }: RunInProgress): Pick<HydratedBranchStatus, 'head' | 'foreignChange'> {
  const { position, foreign, landed } = outcome
  if (run.destination.error !== '') return branchBefore(run)
  if (foreign) return { head: foreign.knownHead, foreignChange: foreign }
  const isHydrated = landed.length > 0 || run.groups.some(({ before }) => before?.success)
  return isHydrated ? { head: position.headSha } : {}
}

// What is written again in the place of a head that is gone is no change of others, also for whoever still has that head.
function branchAtStart({ run, outcome }: RunInProgress): ReturnType<typeof branchBefore> {
  return outcome.isHeadGone ? { head: '' } : branchBefore(run)
}

function branchBefore({ before }: ObservedRun): Pick<HydratedBranchStatus, 'head' | 'foreignChange'> {
  if (!before) return {}
  const { foreignChange } = before
  return { head: knownHeadOf(before), ...(foreignChange && { foreignChange }) }
}

function warningsOf({ run: { before, repoUrl }, outcome }: RunInProgress): string[] {
  const anonymous = outcome.landed.at(-1)?.anonymous
  if (anonymous === undefined) return before?.warnings ?? []
  if (!anonymous) return []
  return [
    `${repoUrl} accepts pushes without credentials, so anybody who reaches it can change what is deployed; ` +
      `protect it, and store write credentials with "wadi repo add ${repoUrl} --write --username NAME"`,
  ]
}

function groupStatus(
  { run, outcome }: RunInProgress,
  group: ObservedGroup,
  phase: HydrationPhase,
): GroupStatus[] {
  const { before } = group
  const failure = outcome.failures.get(group)
  if (outcome.resting.has(group) && !failure) return before ? [before] : []
  const ended = phase !== 'Hydrating'
  const finishedAt = new Date().toISOString()
  const failed = ended && failure ? failedRun({ run, outcome }, group) : before?.failed
  const warnings = recordedWarnings(group, outcome)
  const found = foundIn(group, outcome)
  const named = namedByGroup(group, outcome)
  const renderedBy = outcome.renderedBy.get(group) ?? before?.success?.renderedBy ?? []
  const foundByFailure = ended ? failure?.found : before?.found
  const hydratedSha = landedFor(outcome, group)?.hydratedSha ?? outcome.position.headSha
  const proof = recordedProof({ run, outcome }, hydratedSha)
  const success =
    ended && !failure
      ? {
          drySha: group.drySha,
          ...(group.version !== '' && { version: group.version }),
          ...(group.sources.length > 1 && { others: group.sources.slice(1).map(hydratedSource) }),
          hydratedSha,
          members: group.digest,
          settings: settingsDigest(run.settings, run.renderers),
          finishedAt,
          ...(Object.keys(named).length > 0 && { tools: named }),
          ...(renderedBy.length > 0 && { renderedBy }),
          ...(warnings.length > 0 && { warnings }),
          ...(found.findings.length > 0 && found),
          ...(proof && { proof }),
        }
      : before?.success
  return [
    {
      repoURL: group.repoUrl,
      targetRevision: group.targetRevision,
      ...(group.chart !== '' && { chart: group.chart }),
      ...(group.sourcesName !== '' && { sources: group.sourcesName }),
      phase: ended && failure ? 'Failed' : phase,
      message: failure?.message ?? '',
      failures: failure?.failures ?? [],
      startedAt: group.startedAt,
      ...(ended && { finishedAt }),
      ...(group.drySha !== '' && { drySha: group.drySha }),
      ...(success && { success }),
      ...(failed && (!ended || failure) && { failed }),
      ...(foundByFailure && foundByFailure.findings.length > 0 && { found: foundByFailure }),
    },
  ]
}

function foundIn({ members }: ObservedGroup, { findings }: RunOutcome): RecordedFindings {
  if (findings.size === 0) return { findings: [] }
  return recordedFindings(
    members.map(({ name }) => ({ application: name, findings: findings.get(name) ?? [] })),
  )
}

function hydratedSource({ drySha, version }: ObservedSource): HydratedSource {
  return { drySha, ...(version !== '' && { version }) }
}

/** Removes the request that this run served; a newer one stays. */
async function dropRequest(context: RunContext, member: Member): Promise<void> {
  await changeMember(context, member, async (namespace, name) => {
    await mutatePart(context.store, 'Application', namespace, name, ({ metadata }) => {
      if (requestIdOf(metadata.annotations ?? {}) !== member.requestId) return undefined
      return { metadata: { annotations: withoutRequest } }
    })
  })
}
