import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { hydratedSpecOf, sourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { type HydratedBranch, readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import {
  type Application,
  hydratedBranchOf,
  parseApplication,
} from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** The name of the record of an Application's hydrated branch; undefined for one that is not hydrated. */
export function branchKeyOf(application: Application): string | undefined {
  const branch = hydratedBranchOf(application)
  return branch && branchKey(branch.repoUrl, branch.branch)
}

/** Reads an Application that may have come past the gateway; undefined for one that cannot be read. */
export function readableApplication(resource: Resource): Application | undefined {
  try {
    return parseApplication(resource)
  } catch (error) {
    // One object that somebody else wrote wrongly must not hide all others.
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

/**
 * An Application as users see it: the stored object with `status.sourceHydrator` joined from its branch's record. One
 * that cannot be read is shown without, so that it can be found and put right.
 */
export function viewApplication(resource: Resource, branches: ReadonlyMap<string, HydratedBranch>): Resource {
  const application = readableApplication(resource)
  const { sourceHydrator: _stored, ...status } = resource.status ?? {}
  const key = application && branchKeyOf(application)
  const branch = key === undefined ? undefined : branches.get(key)
  const sourceHydrator =
    application && sourceHydratorStatus(application, hydratedSpecOf(resource.status), branch)
  const { status: _status, ...rest } = resource
  if (!sourceHydrator && Object.keys(status).length === 0) return rest
  return { ...rest, status: { ...status, ...(sourceHydrator && { sourceHydrator }) } }
}

/** The records of hydrated branches by name. */
export function readBranches(resources: readonly Resource[]): Map<string, HydratedBranch> {
  return new Map(resources.map((resource) => [resource.metadata.name, readHydratedBranch(resource)]))
}
