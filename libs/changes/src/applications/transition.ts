import { create, equals } from '@bufbuild/protobuf'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import {
  ApplicationDestinationSchema,
  ApplicationNameSchema,
  type ObjectPlace,
  ObjectPlaceSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import {
  type ComparedApplication,
  destinationOf,
  type DirectoryChanges,
  type PreviousApplication,
} from './application-changes.ts'
import type { PlacedApplication } from './placed-application.ts'

/** The differences between an Application and its previous form, regardless of its hydrated contents. */
export type Transition = Pick<DirectoryChanges, 'movedFrom' | 'previous'>

/** Returns what is said of an Application that has another name, project, destination or hydrated directory than before; undefined when it has none. */
export function transitionOf(before: PlacedApplication, after: PlacedApplication): Transition | undefined {
  const movedFrom = oldPlace(before, after)
  const previous = previousApplication(before.application, after.application)
  if (!movedFrom && !previous) return undefined
  return { ...(movedFrom && { movedFrom }), ...(previous && { previous }) }
}

/** Returns the previous directory of an Application that is now hydrated to another one. */
function oldPlace(before: PlacedApplication, after: PlacedApplication): ObjectPlace | undefined {
  const { repoUrl, branch, path, application } = before
  const isSameRepository = normalizeRepositoryUrl(repoUrl) === normalizeRepositoryUrl(after.repoUrl)
  if (isSameRepository && branch === after.branch && path === after.path) return undefined
  const { namespace = '', name } = application.metadata
  return create(ObjectPlaceSchema, { namespace, name, branch, path })
}

function previousApplication(
  before: ComparedApplication,
  after: ComparedApplication,
): PreviousApplication | undefined {
  const { name, namespace = '' } = before.metadata
  const [old, next] = [before, after].map(destinationOf)
  const previous: PreviousApplication = {
    ...((name !== after.metadata.name || namespace !== (after.metadata.namespace ?? '')) && {
      renamedFrom: create(ApplicationNameSchema, { namespace, name }),
    }),
    ...(before.project !== after.project && { previousProject: before.project }),
    ...(old && next && !equals(ApplicationDestinationSchema, old, next) && { previousDestination: old }),
  }
  return Object.keys(previous).length === 0 ? undefined : previous
}
