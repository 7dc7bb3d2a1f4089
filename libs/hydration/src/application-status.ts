import { isDeepStrictEqual } from 'node:util'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { Application, SourceHydrator } from '@wadi/resources/application/application.ts'
import { applicationName } from '@wadi/resources/application/application.ts'
import {
  type ApplicationFailure,
  type ForeignChange,
  foreignChangeText,
  type GroupStatus,
  type HydratedBranch,
  type HydrationPhase,
} from './hydrated-branch.ts'

/** `status.sourceHydrator` of an Application, as Argo CD has it. */
export interface SourceHydratorStatus {
  currentOperation?: {
    startedAt: string
    finishedAt?: string
    phase: HydrationPhase
    message: string
    drySHA?: string
    hydratedSHA?: string
    sourceHydrator: SourceHydrator
  }
  lastSuccessfulOperation?: { drySHA: string; hydratedSHA: string; sourceHydrator: SourceHydrator }
  lastComparedDryRevision?: string
  /** Ours: warnings about the newest render, for example that options are not in git. */
  warnings?: string[]
  /** Ours: what somebody else did to the hydrated branch; absent while it is as Wadi left it. */
  foreignChange?: ForeignChange & { message: string }
}

/** The part of the status that is stored with the Application; it changes only when the Application itself does. */
export interface HydratedMark {
  /** The spec under which the Application was last hydrated. */
  sourceHydrator: SourceHydrator
  warnings: string[]
}

/**
 * Joins what is stored with an Application and the record of its hydrated branch to `status.sourceHydrator`. The
 * record holds what is equal for all members of a group, so a dry commit costs one write, not one per Application.
 * Undefined for an Application without `sourceHydrator`.
 */
export function sourceHydratorStatus(
  application: Application,
  mark: HydratedMark | undefined,
  branch: HydratedBranch | undefined,
): SourceHydratorStatus | undefined {
  const spec = application.hydrated
  if (!spec) return undefined
  const group = branch?.status.groups.find((candidate) => isGroupOf(candidate, spec))
  const covered = mark !== undefined && sameSpec(mark.sourceHydrator, spec)
  const status: SourceHydratorStatus = {}
  if (group && (covered || group.phase !== 'Hydrated')) {
    const { message, phase } = outcomeFor(application, group)
    status.currentOperation = {
      startedAt: group.startedAt,
      ...(group.finishedAt && { finishedAt: group.finishedAt }),
      phase,
      message,
      ...(group.drySha && { drySHA: group.drySha }),
      ...(phase === 'Hydrated' && group.success && { hydratedSHA: group.success.hydratedSha }),
      sourceHydrator: spec,
    }
    if (group.drySha) status.lastComparedDryRevision = group.drySha
  }
  if (mark && group?.success) {
    const { drySha, hydratedSha } = group.success
    status.lastSuccessfulOperation = {
      drySHA: drySha,
      hydratedSHA: hydratedSha,
      sourceHydrator: mark.sourceHydrator,
    }
  }
  const warnings = [...(covered ? mark.warnings : []), ...(group ? (branch?.status.warnings ?? []) : [])]
  if (warnings.length > 0) status.warnings = warnings
  const foreignChange = branch?.status.foreignChange
  if (group && foreignChange) {
    const message = `branch ${branch.branch} ${foreignChangeText(foreignChange)}`
    status.foreignChange = { ...foreignChange, message }
  }
  return status
}

/** Whether two specs ask for the same, whatever the order of their keys. */
function sameSpec(a: SourceHydrator, b: SourceHydrator): boolean {
  return isDeepStrictEqual(a, b)
}

function isGroupOf(group: GroupStatus, spec: SourceHydrator): boolean {
  return (
    group.targetRevision === spec.drySource.targetRevision &&
    normalizeRepositoryUrl(group.repoURL) === normalizeRepositoryUrl(spec.drySource.repoURL)
  )
}

function outcomeFor(
  application: Application,
  group: GroupStatus,
): { phase: HydrationPhase; message: string } {
  if (group.phase !== 'Failed') return { phase: group.phase, message: '' }
  const name = applicationName(application)
  const own = group.failures.find((failure) => failure.application === name)
  const reason = own?.message ?? (group.message || othersMessage(group.failures))
  return { phase: 'Failed', message: `Failed to hydrate: ${reason}` }
}

function othersMessage(failures: readonly ApplicationFailure[]): string {
  const [first, ...more] = failures.map((failure) => failure.application).toSorted()
  if (more.length === 0) return `cannot hydrate because application ${first} has an error`
  return `cannot hydrate because application ${first} and ${more.length} more have errors`
}
