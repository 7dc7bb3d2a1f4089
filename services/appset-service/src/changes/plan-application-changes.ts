import { isDeepStrictEqual } from 'node:util'
import { byName } from '@wadi/order/by-name.ts'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'
import { type DeletionLimits, whyWithheld } from './deletion-guard.ts'
import { isOwnedBy } from './owned-applications.ts'
import { updatedApplication } from './updated-application.ts'

/** The planned change of one Application of a set. */
export interface PlannedChange {
  /** `keep`: it is generated no longer and stays, by the set's policy or until its deletion is confirmed. */
  action: 'create' | 'update' | 'delete' | 'unchanged' | 'keep'
  name: string
  /** As it is stored; undefined for `create`. */
  before?: Resource
  /** As it is to be; undefined for `delete` and `keep`. */
  after?: Resource
}

/** The planned changes of all Applications of a set. */
export interface ChangePlan {
  /** By name. */
  changes: readonly PlannedChange[]
  /** The reason why deletions wait for a confirmation and how to give it; empty if none do. */
  withheld: string
}

/** The inputs of a plan. */
interface PlanInput {
  set: ApplicationSet
  /** The set with its `uid`, and with the annotations that are to apply; undefined for one that is not stored yet. */
  stored: Resource | undefined
  generated: readonly Resource[]
  /** Every Application of the namespace with a name of `generated`, and all that the set owns. */
  existing: readonly Resource[]
  limits: DeletionLimits
  /** True if somebody confirmed all deletions. */
  confirmDeletions: boolean
}

/**
 * Plans what makes the stored Applications those that were generated, within the set's `applicationsSync`.
 * @throws FailedPreconditionError for a generated name that an Application has which is not the set's own
 */
export function planApplicationChanges({
  set,
  stored,
  generated,
  existing,
  ...options
}: PlanInput): ChangePlan {
  const existingByName = new Map(existing.map((application) => [application.metadata.name, application]))
  const names = new Set(generated.map(({ metadata }) => metadata.name))
  const owned = stored
    ? existing.filter((application) => isOwnedBy(application, stored) && !isBeingDeleted(application))
    : []
  const gone = owned.filter(({ metadata }) => !names.has(metadata.name))
  const changes = generated.map((application) =>
    changeOf(application, existingByName.get(application.metadata.name), set, stored),
  )
  const mayDelete = set.policy === 'sync' || set.policy === 'create-delete'
  const withheld =
    stored && mayDelete && !options.confirmDeletions
      ? whyWithheld(
          { set: stored, generated: generated.length, owned: owned.length, deleted: gone.length },
          options.limits,
        )
      : ''
  const action = mayDelete && withheld === '' ? 'delete' : 'keep'
  for (const before of gone) changes.push({ action, name: before.metadata.name, before })
  return { changes: changes.toSorted(byName), withheld }
}

/** Returns true if a set has an Application as it generates it, so that nothing is written. */
export function isAsGenerated(
  generated: Resource,
  { set, stored, existing }: Pick<PlanInput, 'set' | 'existing'> & { stored: Resource },
): boolean {
  const before = existing.find(({ metadata }) => metadata.name === generated.metadata.name)
  if (!before || !isOwnedBy(before, stored)) return false
  return changeOf(generated, before, set, stored).action === 'unchanged'
}

function changeOf(
  generated: Resource,
  before: Resource | undefined,
  set: ApplicationSet,
  stored: Resource | undefined,
): PlannedChange {
  const { name } = generated.metadata
  if (!before) return { action: 'create', name, after: generated }
  if (!stored || !isOwnedBy(before, stored)) throw new FailedPreconditionError(notManaged(name))
  // It is created again once it is gone.
  if (isBeingDeleted(before)) return { action: 'unchanged', name, before, after: before }
  const mayUpdate = set.policy === 'sync' || set.policy === 'create-update'
  const after = mayUpdate ? updatedApplication(before, generated, set) : before
  const isEqual = after === before || isDeepStrictEqual(JSON.parse(JSON.stringify(after)), before)
  return isEqual
    ? { action: 'unchanged', name, before, after: before }
    : { action: 'update', name, before, after }
}

/** That an Application of that name is there which is not the set's own, so that the set leaves it alone. */
export function notManaged(name: string): string {
  return `application ${name} is not managed by this ApplicationSet`
}
