import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetObjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { hideSecrets } from '../applications/hidden-secrets.ts'
import type { KeptObjects } from '../applications/kept-objects.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { listedObject } from './list-objects.ts'

/** The most characters of an object in one answer. */
const maxLength = 1024 * 1024

/** Returns the text of one object of a hydrated commit; the values of a Secret are hidden. */
export function getObject(context: GatewayContext, kept: KeptObjects) {
  return async (request: GetObjectRequest, call: HandlerContext) => {
    const wanted = request.object
    if (!wanted || wanted.kind === '') throw new InvalidInputError('object needs a kind')
    const { resource, application } = await getStoredApplication(context, call, request)
    const { objects, hydratedSha } = await kept.of(application, request.name, request.hydratedSha)
    const found = objects.find(({ identity: { group, kind, namespace, name } }) => {
      return (
        kind === wanted.kind &&
        group === wanted.group &&
        namespace === wanted.namespace &&
        name === wanted.name
      )
    })
    if (!found) {
      const name = wanted.namespace === '' ? wanted.name : `${wanted.namespace}/${wanted.name}`
      throw new NotFoundError(
        `hydrated commit ${hydratedSha.slice(0, 7)} has no ${wanted.kind} ${name} of application ${request.name}`,
      )
    }
    const yaml = found.isSecret
      ? hideSecrets(context, applicationObject(resource), found.yaml).manifest
      : found.yaml
    return {
      object: listedObject(found),
      hydratedSha,
      yaml: yaml.slice(0, maxLength).toWellFormed(),
      leftOut: Math.max(0, yaml.length - maxLength),
    }
  }
}
