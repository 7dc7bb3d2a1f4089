import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetObjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import type { HydratedObject } from '../applications/hydrated-objects.ts'
import type { KeptObjects, ObjectsOfCommit } from '../applications/kept-objects.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { listedObject, shownText } from './list-objects.ts'

/** The most characters of an object in one answer. */
const maxLength = 1024 * 1024

/** Returns the text of one object of a hydrated commit; the values of a Secret are hidden. */
export function getObject(context: GatewayContext, kept: KeptObjects) {
  return async (request: GetObjectRequest, call: HandlerContext) => {
    const { resource, application } = await getStoredApplication(context, call, request)
    const commit = await kept.of(application, request.name, request.hydratedSha)
    const found = requireObject(commit, request)
    const yaml = shownText(context, resource, found)
    return {
      object: listedObject(found, yaml),
      hydratedSha: commit.hydratedSha,
      yaml: yaml.slice(0, maxLength).toWellFormed(),
      leftOut: Math.max(0, yaml.length - maxLength),
    }
  }
}

/**
 * Returns the object of a commit that a request names.
 * @throws InvalidInputError when it names none, NotFoundError when there is no such object
 */
export function requireObject(
  { objects, hydratedSha }: ObjectsOfCommit,
  { object: wanted, name: application }: Pick<GetObjectRequest, 'object' | 'name'>,
): HydratedObject {
  if (!wanted || wanted.kind === '') throw new InvalidInputError('object needs a kind')
  const { group, kind, namespace, name } = wanted
  const found = objects.find(({ identity }) => {
    return (
      identity.kind === kind &&
      identity.group === group &&
      identity.namespace === namespace &&
      identity.name === name
    )
  })
  if (found) return found
  const shown = namespace === '' ? name : `${namespace}/${name}`
  throw new NotFoundError(
    `hydrated commit ${hydratedSha.slice(0, 7)} has no ${kind} ${shown} of application ${application}`,
  )
}
