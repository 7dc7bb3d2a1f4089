import type { HydratedMark } from '@wadi/hydration/application-status.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import {
  type GroupStatus,
  type HydratedBranchStatus,
  type HydrationPhase,
} from '@wadi/hydration/hydrated-branch.ts'
import { mutate, mutateStatus } from '@wadi/resources/resource-store.ts'
import { hydrateAnnotation, type Member } from '../applications/application-index.ts'
import { settingsDigest } from '../operator-settings.ts'
import type { BranchRun, GroupRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'

/** Records that the run's groups are being hydrated. */
export async function reportStart(run: BranchRun, context: RunContext): Promise<void> {
  await writeRecord(run, context, 'Hydrating', 0)
}

/**
 * Records the outcome: one write for the branch, and one for each Application that was hydrated under a new spec, got
 * other notices or had asked for the run.
 */
export async function reportEnd(run: BranchRun, context: RunContext, milliseconds: number): Promise<void> {
  for (const group of run.groups) {
    if (!group.failure) await markMembers(group, context)
  }
  await writeRecord(run, context, 'Hydrated', milliseconds)
  for (const member of run.groups.flatMap((group) => group.members)) {
    if (member.request !== '') await dropRequest(member, context)
  }
}

async function writeRecord(
  run: BranchRun,
  context: RunContext,
  phase: HydrationPhase,
  milliseconds: number,
): Promise<void> {
  const { store } = context
  if (!(await store.get('HydratedBranch', controlPlaneNamespace, run.key))) {
    await store.create({
      apiVersion: 'wadi.dev/v1alpha1',
      kind: 'HydratedBranch',
      metadata: { name: run.key, namespace: controlPlaneNamespace },
      spec: { repoURL: run.repoURL, branch: run.branch, project: run.project },
    })
  }
  const status: HydratedBranchStatus = {
    groups: run.groups.map((group) => groupStatus(run, group, phase)),
    applications: run.groups.reduce((sum, group) => sum + group.members.length, 0),
    rendered: run.rendered,
    milliseconds,
  }
  await mutateStatus(store, 'HydratedBranch', controlPlaneNamespace, run.key, (current) => ({
    ...current,
    status: { ...status },
  }))
}

function groupStatus(run: BranchRun, group: GroupRun, phase: HydrationPhase): GroupStatus {
  const ended = phase !== 'Hydrating'
  const { failure, before } = group
  const finishedAt = new Date().toISOString()
  const success =
    ended && !failure
      ? {
          drySha: group.drySha,
          hydratedSha: group.hydratedSha || run.position.headSha,
          members: group.digest,
          settings: settingsDigest(run.settings, run.renderers),
          finishedAt,
        }
      : before?.success
  return {
    repoURL: group.repoURL,
    targetRevision: group.targetRevision,
    phase: ended && failure ? 'Failed' : phase,
    message: failure?.message ?? '',
    failures: failure?.failures ?? [],
    startedAt: group.startedAt,
    ...(ended && { finishedAt }),
    ...(group.drySha !== '' && { drySha: group.drySha }),
    ...(success && { success }),
  }
}

async function markMembers(group: GroupRun, context: RunContext): Promise<void> {
  for (const member of group.members) {
    const notices = group.notices.get(member.name) ?? []
    if (member.markedSpec === member.currentSpec && sameNotices(member.markedNotices, notices)) continue
    const mark: HydratedMark = { sourceHydrator: member.spec, notices }
    await change(member, context, async (namespace, name) => {
      await mutateStatus(context.store, 'Application', namespace, name, (current) => ({
        ...current,
        status: { ...current.status, hydrated: mark },
      }))
    })
  }
}

/** Removes the request that this run served; a newer one stays. */
async function dropRequest(member: Member, context: RunContext): Promise<void> {
  await change(member, context, async (namespace, name) => {
    await mutate(context.store, 'Application', namespace, name, (current) => {
      const { [hydrateAnnotation]: request, ...annotations } = current.metadata.annotations ?? {}
      if (request === undefined || (request || 'normal') !== member.request) return undefined
      return { ...current, metadata: { ...current.metadata, annotations } }
    })
  })
}

/** Changes an Application unless it was deleted while the run went on. */
async function change(
  { application: { metadata } }: Member,
  context: RunContext,
  write: (namespace: string, name: string) => Promise<void>,
): Promise<void> {
  const namespace = metadata.namespace ?? controlPlaneNamespace
  if (await context.store.get('Application', namespace, metadata.name)) await write(namespace, metadata.name)
}

function sameNotices(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((notice, index) => notice === b[index])
}
