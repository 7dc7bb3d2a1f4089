import {
  type DomainError,
  FailedPreconditionError,
  InvalidInputError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import type { AppProject } from '@wadi/resources/project/app-project.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { type Cluster, readClusters } from '@wadi/resources/cluster-secret.ts'
import { readProject, requireProjectPermits } from '@wadi/resources/project/project-permission.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { isOwnedBy } from '../changes/owned-applications.ts'
import { notManaged, type PlannedChange } from '../changes/plan-application-changes.ts'
import { rejection } from './rejection.ts'
import type { Access } from './set-access.ts'
import { projectOf } from './set-objects.ts'

/** The generated Applications, and the stored ones under those names. */
interface Rendered {
  /** The stored set; undefined while there is none. */
  stored: Resource | undefined
  generated: readonly Resource[]
  existing: readonly Resource[]
  /** Returns true if a generated Application is stored as wanted already, and needs no right; by default false for all. */
  isLeft?: (application: Resource) => boolean
}

/** The reason why one Application is rejected, shown only to those who may see `object` under its name in policies. */
interface Failure {
  object: string
  error: DomainError
}

/**
 * Makes sure that the caller may make every generated Application, or change the one that the set has.
 * @throws for the first one that fails, when the caller may see it, PermissionDeniedError or, for a name that an
 *   Application has which is not the set's own, FailedPreconditionError; otherwise PermissionDeniedError with their number
 */
export function checkApplications(access: Access, { stored, generated, existing, isLeft }: Rendered): void {
  const existingByName = new Map(existing.map((application) => [application.metadata.name, application]))
  const failures: Failure[] = []
  for (const application of generated) {
    if (isLeft?.(application)) continue
    const before = existingByName.get(application.metadata.name)
    const isOwn = before !== undefined && stored !== undefined && isOwnedBy(before, stored)
    const failure =
      missingRight(access, application, isOwn ? before : undefined) ??
      (before && !isOwn ? foreign(before) : undefined)
    if (failure) failures.push(failure)
  }
  throwFirst(access, failures, generated.length)
}

/**
 * Makes sure that their projects permit the Applications as they are to be stored.
 * @throws for the first one that fails, when the caller may see it, PermissionDeniedError or, for a project that does
 *   not exist, InvalidInputError; otherwise PermissionDeniedError with their number
 */
export async function checkProjects(
  access: Access,
  store: Pick<ResourceStore, 'get' | 'list'>,
  applications: readonly Resource[],
): Promise<void> {
  const projectNamed = projectReader(store)
  const clusters = await readClusters(store)
  const failures: Failure[] = []
  for (const application of applications) {
    const failure = await unpermitted(application, projectNamed, clusters)
    if (failure) failures.push(failure)
  }
  throwFirst(access, failures, applications.length)
}

/**
 * Makes sure that the caller may delete what a plan deletes.
 * @throws PermissionDeniedError that names the first one that may not be deleted, when the caller may see it
 */
export function checkDeletions(access: Access, changes: readonly PlannedChange[]): void {
  const { enforcer, subject } = access
  const objects = changes.flatMap(({ action, before }) =>
    action === 'delete' && before ? applicationObject(before) : [],
  )
  const failures = objects
    .filter((object) => !enforcer.allows(subject, 'applications', 'delete', object))
    .map((object): Failure => ({ object, error: rejection(subject, 'applications', 'delete', object) }))
  throwFirst(access, failures, objects.length)
}

function throwFirst({ enforcer, subject }: Access, failures: readonly Failure[], total: number): void {
  const [first] = failures
  if (!first) return
  if (enforcer.allows(subject, 'applications', 'get', first.object)) throw first.error
  throw new PermissionDeniedError(
    `permission denied: ${failures.length} of ${total} Applications of the set, sub: ${subject.sub}`,
  )
}

/** Returns the failure for an Application of another owner: only the right to see the existing one decides, and no right to another one of that name. */
function foreign(before: Resource): Failure {
  return {
    object: applicationObject(before),
    error: new FailedPreconditionError(notManaged(before.metadata.name)),
  }
}

/** A move to another project is a creation there and a change of what is left. */
function missingRight(
  { enforcer, subject }: Access,
  application: Resource,
  before: Resource | undefined,
): Failure | undefined {
  const object = applicationObject(application)
  const isMoved = before !== undefined && projectOf(before) !== projectOf(application)
  const wanted: [action: string, object: string][] = before ? [['update', object]] : [['create', object]]
  if (isMoved) wanted.push(['create', object], ['update', applicationObject(before)])
  const missing = wanted.find(([action, wantedObject]) => {
    return !enforcer.allows(subject, 'applications', action, wantedObject)
  })
  if (!missing) return undefined
  return { object: missing[1], error: rejection(subject, 'applications', ...missing) }
}

async function unpermitted(
  resource: Resource,
  projectNamed: (name: string) => Promise<AppProject>,
  clusters: readonly Cluster[],
): Promise<Failure | undefined> {
  try {
    const application = parseApplication(resource)
    requireProjectPermits(await projectNamed(application.project), application, clusters)
    return undefined
  } catch (error) {
    if (!(error instanceof PermissionDeniedError) && !(error instanceof InvalidInputError)) throw error
    return {
      object: applicationObject(resource),
      error: inContext(`Application ${resource.metadata.name}`, error),
    }
  }
}

/** Reads each project once. */
function projectReader(store: Pick<ResourceStore, 'get'>) {
  const known = new Map<string, AppProject>()
  return async (name: string): Promise<AppProject> => {
    const project = known.get(name) ?? (await readProject(store, name))
    known.set(name, project)
    return project
  }
}
