import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { DeleteApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { getApplicationResource } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** A status is written while one hydrates, so a lost race says little. */
const attempts = 5

/** Removes an Application. */
export function deleteApplication(context: GatewayContext) {
  return async ({ namespace, name }: DeleteApplicationRequest, call: HandlerContext) => {
    for (let attempt = 1; ; attempt++) {
      const { metadata } = await getApplicationResource(context, call, { namespace, name }, 'delete')
      const { resourceVersion } = metadata
      try {
        // The version that the right was asked for: another one may be of another project.
        await context.store.delete('Application', metadata.namespace ?? controlPlaneNamespace, name, {
          ...(resourceVersion !== undefined && { resourceVersion }),
        })
        return {}
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === attempts) throw error
      }
    }
  }
}
