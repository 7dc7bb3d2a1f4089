import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { LabelApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { mutatePart } from '@wadi/resources/store/resource-store.ts'
import { requireDecidedVersion } from '@wadi/resources/decided-version.ts'
import { getApplicationResource, permittedApplication, viewOne } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Sets and removes labels of an Application, also of one whose spec breaks a rule that came later; of a request with a version, of that one
 * alone. It needs the right to update it.
 */
export function labelApplication(context: GatewayContext) {
  return async (request: LabelApplicationRequest, call: HandlerContext) => {
    const { name, labels, removed, version } = request
    if (Object.keys(labels).length + removed.length === 0) {
      throw new InvalidInputError('labels and removed are both empty; name at least one label')
    }
    const { store } = context
    const { metadata } = await getApplicationResource(context, call, request, 'update')
    const namespace = metadata.namespace ?? controlPlaneNamespace
    const resource = await mutatePart(store, 'Application', namespace, name, (current) => {
      permittedApplication(context, call, name, current, 'update')
      requireDecidedVersion(current, version)
      const kept = Object.entries(current.metadata.labels ?? {}).filter(([key]) => !removed.includes(key))
      const wanted = { ...Object.fromEntries(kept), ...labels }
      const checked = checkedResource({ ...current, metadata: { ...current.metadata, labels: wanted } })
      const gone = Object.fromEntries(removed.map((key) => [key, null]))
      return { metadata: { labels: { ...gone, ...store.storable(checked).metadata.labels } } }
    })
    return { application: await viewOne(context, resource) }
  }
}
