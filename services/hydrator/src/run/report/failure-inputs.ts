import { createHash } from 'node:crypto'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { GroupStatus } from '@wadi/hydration/hydrated-branch.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { listClusterSecrets } from '@wadi/resources/cluster-secret.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { OperatorSettings } from '../../operator-settings.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { MemberGroup, ObservedGroup } from '../branch-run.ts'

/** The inputs besides its groups that decide the outcome of a branch's run. */
export interface RunInputs {
  settings: OperatorSettings
  /** Identifies the renderers and their versions. */
  renderers: string
  /** Versions of the AppProjects by name, and of the clusters. */
  control: ControlPlaneVersions
  /** The result of reading the hydrated branch. */
  destination: Destination
  /** The head at which the operator's policy holds the branch; empty when it does not. */
  blockedAt: string
}

/** The answer of the repository of a hydrated branch. */
export interface Destination {
  /** The branch's head; empty when it does not exist or cannot be read. */
  headSha: string
  /** The error of reading it; empty if it was read. */
  error: string
  /** Identifies the write credentials. */
  credentials: string
}

/** Versions of the operator's objects that a run reads. */
export interface ControlPlaneVersions {
  projects: ReadonlyMap<string, string>
  clusters: string
}

/** Reads the versions of AppProjects and clusters. */
export async function readControlPlaneVersions(store: ResourceStore): Promise<ControlPlaneVersions> {
  const { items } = await store.list('AppProject', { namespace: controlPlaneNamespace })
  const clusters = await listClusterSecrets(store)
  const version = ({ metadata }: (typeof items)[number]) => metadata.resourceVersion ?? ''
  return {
    projects: new Map(items.map((item) => [item.metadata.name, version(item)])),
    clusters: clusters
      .map((item) => `${item.metadata.name}@${version(item)}`)
      .toSorted()
      .join(),
  }
}

/**
 * Digest of everything that decides whether a group of a branch can be hydrated. A group that failed for a reason that only
 * a change can put right is left alone for as long as this stays the same.
 */
export function failureInputs(
  group: ObservedGroup,
  groups: readonly ObservedGroup[],
  inputs: RunInputs,
): string {
  const { settings, renderers, control, destination, blockedAt } = inputs
  const names = new Set(groups.flatMap(({ members }) => factsOf(members).projects))
  const decisive = [
    group.sources.length > 1 ? group.sources.map(({ drySha }) => drySha) : group.drySha,
    group.unresolved?.message ?? '',
    group.credentials,
    // The members of other groups may claim a path of this one.
    groups.map(({ digest }) => digest).toSorted(),
    settings,
    renderers,
    [...names].toSorted().map((name) => [name, control.projects.get(name) ?? '']),
    control.clusters,
    destination.error,
    destination.credentials,
    blockedAt,
  ]
  return createHash('sha256').update(canonicalJson(decisive)).digest('base64url').slice(0, 22)
}

/** Returns the failure of a group with these inputs, so that the same run would fail again; undefined otherwise. */
export function failedBefore(
  { before }: MemberGroup,
  inputs: string,
  { headSha }: Destination,
): GroupStatus['failed'] {
  const failed = before?.phase === 'Failed' ? before.failed : undefined
  if (failed?.inputs !== inputs) return undefined
  return failed.head === undefined || failed.head === headSha ? failed : undefined
}

/** Pause before a poll tries a group again that may succeed by itself, in ms: 30 s at first, then longer, 10 min at most. */
export function pollPause(attempts: number): number {
  return Math.min(15_000 * 2 ** attempts, 600_000)
}
