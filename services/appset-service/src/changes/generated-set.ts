import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { checkApplications, checkDeletions, checkProjects } from '../access/check-applications.ts'
import { currentAuthor } from '../access/author.ts'
import { everyGuard, inputGuardOf } from '../access/input-guard-of.ts'
import { repositoryRecords } from '../access/repository-records.ts'
import { type Access, requireNoDenial, requireSet, type SetAction } from '../access/set-access.ts'
import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import type { OnElement } from '@wadi/application-sets/generate-applications.ts'
import { applicationsOf } from '../applications-of-set.ts'
import { isOwnedBy } from './owned-applications.ts'
import { type ChangePlan, planApplicationChanges } from './plan-application-changes.ts'

/** Options of generating a set for a caller. */
interface GenerationRequest {
  access: Access
  action: Extract<SetAction, 'create' | 'update'>
  /** The set as it would be stored; with the `uid` of the stored one when there is one. */
  candidate: Resource
  /** The stored set; undefined when there is none. */
  stored: Resource | undefined
  /** True to generate the stored set again as its author wrote it, whose rights then bound what it reads. */
  isRefresh: boolean
  /** True if nothing is stored, so that no later pass acts on what is read for it. */
  dryRun: boolean
  confirmDeletions: boolean
  /** Learns what each Application comes from. */
  onElement?: OnElement
  signal: AbortSignal
}

/** The generated Applications of a set and the changes to the stored ones; the caller may make all of them. */
export interface CheckedGeneration {
  generated: readonly Resource[]
  /** The Applications of the names that were generated, and all that the set has. */
  existing: readonly Resource[]
  plan: ChangePlan
}

/**
 * Generates a set and checks everything that storing it would do, without storing anything.
 * @throws the errors of generating; PermissionDeniedError and others as the checks do
 */
export async function generateChecked(
  context: AppsetServiceContext,
  request: GenerationRequest,
): Promise<CheckedGeneration> {
  const { access, action, candidate, stored, dryRun, confirmDeletions, onElement, signal } = request
  const { store, deletionLimits: limits } = context
  // Who asks wants what is there now, also when a push was a second ago.
  const set = { ...parseApplicationSet(candidate), refresh: true }
  const guard = guardOf(context, request)
  const sources = dryRun ? context : context.inputCache.recording(context)
  const generated = await context.generationSlots.run(access.subject, () =>
    applicationsOf(set, sources, {
      guard,
      account: access.subject.sub,
      // A stored set whose project is gone reads nothing, as at every pass.
      checksProjectsLater: !request.isRefresh,
      onElement,
      signal,
    }),
  )
  context.events.generated(set.name, generated.length)
  requireNoDenial(access, action, candidate, generated)
  if (generated.length === 0) requireSet(access, action, candidate, [])
  const existing = await existingApplications(context, candidate, generated)
  checkApplications(access, { stored, generated, existing })
  const plan = planApplicationChanges({
    set,
    stored: stored && candidate,
    generated,
    existing,
    limits,
    confirmDeletions,
  })
  checkDeletions(access, plan.changes)
  await checkProjects(
    access,
    store,
    plan.changes.flatMap(({ after }) => after ?? []),
  )
  return { generated, existing, plan }
}

/** The Applications of the names that were generated, and all that the set has, by name. */
export async function existingApplications(
  { store }: Pick<AppsetServiceContext, 'store'>,
  set: Resource,
  generated: readonly Resource[],
): Promise<Resource[]> {
  const { namespace = controlPlaneNamespace } = set.metadata
  const names = new Set(generated.map(({ metadata }) => metadata.name))
  const { items } = await store.list('Application', { namespace })
  return items.filter((item) => names.has(item.metadata.name) || isOwnedBy(item, set))
}

/** Returns the guard of a set: it may read what its author may read, whoever requests it. */
function guardOf(context: AppsetServiceContext, { access, stored, isRefresh, signal }: GenerationRequest) {
  const records = repositoryRecords(context, signal)
  const author = isRefresh && stored ? currentAuthor(stored, context.seal) : undefined
  const subjects = author ? [access.subject, author.subject] : [access.subject]
  return everyGuard(subjects.map((subject) => inputGuardOf(access.enforcer, subject, records)))
}
