import type { HandlerContext } from '@connectrpc/connect'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { DeleteApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { requireDecidedVersion } from '@wadi/resources/decided-version.ts'
import { getApplicationResource } from '../applications/read-application.ts'
import { retryConflicts } from '../applications/retry-conflicts.ts'
import type { GatewayContext } from '../context.ts'

/** Removes an Application; of a request with a version, that one alone. */
export function deleteApplication(context: GatewayContext) {
  return ({ namespace, name, version }: DeleteApplicationRequest, call: HandlerContext) =>
    retryConflicts(async () => {
      const resource = await getApplicationResource(context, call, { namespace, name }, 'delete')
      requireDecidedVersion(resource, version)
      const { metadata } = resource
      const { resourceVersion } = metadata
      // The version that the right was asked for: another one may be of another project.
      await context.store.delete('Application', metadata.namespace ?? controlPlaneNamespace, name, {
        ...(resourceVersion !== undefined && { resourceVersion }),
      })
      return {}
    })
}
