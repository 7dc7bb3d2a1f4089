import type { HydratedMark } from '@wadi/hydration/application-status.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import {
  type GroupStatus,
  type HydratedBranchStatus,
  type HydrationPhase,
  knownHeadOf,
} from '@wadi/hydration/hydrated-branch.ts'
import { mutatePart, mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { type Member, requestAnnotations, requestOf } from '../applications/application-index.ts'
import { settingsDigest } from '../operator-settings.ts'
import type { ObservedGroup, ObservedRun } from './branch-run.ts'
import { failedRun } from './failed-run.ts'
import type { RunContext } from './run-context.ts'
import { type GroupOfRun, landedFor, type RunInProgress } from './run-outcome.ts'

/** Records that the run's groups are being hydrated. */
export async function reportStart(context: RunContext, { run, outcome }: RunInProgress): Promise<void> {
  await writeRecord(context, { run, outcome, phase: 'Hydrating', milliseconds: 0 })
}

/**
 * Records the outcome: one write for the branch, and one for each Application that was hydrated under a new spec, got
 * other warnings or had asked for the run.
 */
export async function reportEnd(
  context: RunContext,
  { run, outcome, milliseconds }: RunInProgress & { milliseconds: number },
): Promise<void> {
  for (const group of run.groups) {
    if (!outcome.failures.has(group) && !outcome.resting.has(group)) {
      await markMembers(context, { outcome, group })
    }
  }
  await writeRecord(context, { run, outcome, phase: 'Hydrated', milliseconds })
  await dropRequests(context, run)
}

/** Records of a run with nothing to do what was seen of the branch, and that requests are served; the operation stays. */
export async function reportUnchanged(context: RunContext, { run, outcome }: RunInProgress): Promise<void> {
  const { before } = run
  if (before) {
    const { head: _head, foreignChange: _change, ...rest } = before
    const status = { ...rest, ...branchSeen({ run, outcome }) }
    if (canonicalJson(status) !== canonicalJson(before)) await storeStatus(context, { run, status })
  }
  await dropRequests(context, run)
}

async function dropRequests(context: RunContext, run: ObservedRun): Promise<void> {
  for (const member of run.groups.flatMap((group) => group.members)) {
    if (member.request !== '') await dropRequest(context, member)
  }
}

async function writeRecord(
  context: RunContext,
  { run, outcome, phase, milliseconds }: RunInProgress & { phase: HydrationPhase; milliseconds: number },
): Promise<void> {
  const ended = phase !== 'Hydrating'
  const warnings = warningsOf({ run, outcome })
  const status = {
    groups: run.groups.flatMap((group) => groupStatus({ run, outcome }, group, phase)),
    applications: run.groups.reduce((sum, group) => sum + group.members.length, 0),
    rendered: outcome.rendered,
    milliseconds,
    ...(ended ? branchSeen({ run, outcome }) : branchBefore(run)),
    ...(warnings.length > 0 && { warnings }),
  }
  await storeStatus(context, { run, status })
}

async function storeStatus(
  { store }: RunContext,
  { run, status }: { run: ObservedRun; status: HydratedBranchStatus },
): Promise<void> {
  if (!(await store.get('HydratedBranch', controlPlaneNamespace, run.key))) {
    await store.create({
      apiVersion: 'wadi.dev/v1alpha1',
      kind: 'HydratedBranch',
      metadata: { name: run.key, namespace: controlPlaneNamespace },
      spec: { repoURL: run.repoUrl, branch: run.branch, project: run.project },
    })
  }
  await mutateStatus(store, 'HydratedBranch', controlPlaneNamespace, run.key, (current) => ({
    ...current,
    status: { ...status },
  }))
}

/** The head that later runs compare with, and what somebody else did since, unless a run has written over it. */
function branchSeen({ run, outcome }: RunInProgress): Pick<HydratedBranchStatus, 'head' | 'foreignChange'> {
  const { position, foreign, landed } = outcome
  if (run.destination.error !== '') return branchBefore(run)
  if (foreign) return { head: foreign.knownHead, foreignChange: foreign }
  const isHydrated = landed.length > 0 || run.groups.some(({ before }) => before?.success)
  return isHydrated ? { head: position.headSha } : {}
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
  const success =
    ended && !failure
      ? {
          drySha: group.drySha,
          hydratedSha: landedFor(outcome, group)?.hydratedSha ?? outcome.position.headSha,
          members: group.digest,
          settings: settingsDigest(run.settings, run.renderers),
          finishedAt,
        }
      : before?.success
  return [
    {
      repoURL: group.repoUrl,
      targetRevision: group.targetRevision,
      phase: ended && failure ? 'Failed' : phase,
      message: failure?.message ?? '',
      failures: failure?.failures ?? [],
      startedAt: group.startedAt,
      ...(ended && { finishedAt }),
      ...(group.drySha !== '' && { drySha: group.drySha }),
      ...(success && { success }),
      ...(failed && (!ended || failure) && { failed }),
    },
  ]
}

async function markMembers(
  context: RunContext,
  { outcome, group }: Pick<GroupOfRun, 'outcome' | 'group'>,
): Promise<void> {
  for (const member of group.members) {
    const warnings = outcome.warnings.get(member.name) ?? []
    if (member.markedSpec === member.currentSpec && sameWarnings(member.markedWarnings, warnings)) continue
    const mark: HydratedMark = { sourceHydrator: member.spec, warnings }
    await change(context, member, async (namespace, name) => {
      await mutateStatus(context.store, 'Application', namespace, name, (current) => ({
        ...current,
        status: { ...current.status, hydrated: mark },
      }))
    })
  }
}

/** Removes the request that this run served; a newer one stays. */
async function dropRequest(context: RunContext, member: Member): Promise<void> {
  await change(context, member, async (namespace, name) => {
    await mutatePart(context.store, 'Application', namespace, name, ({ metadata }) => {
      if (requestOf(metadata.annotations ?? {}) !== member.request) return undefined
      return { metadata: { annotations: Object.fromEntries(requestAnnotations.map((key) => [key, null])) } }
    })
  })
}

/** Changes an Application unless it was deleted while the run went on. */
async function change(
  context: RunContext,
  { application: { metadata } }: Member,
  write: (namespace: string, name: string) => Promise<void>,
): Promise<void> {
  const namespace = metadata.namespace ?? controlPlaneNamespace
  if (await context.store.get('Application', namespace, metadata.name)) await write(namespace, metadata.name)
}

function sameWarnings(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((warning, index) => warning === b[index])
}
