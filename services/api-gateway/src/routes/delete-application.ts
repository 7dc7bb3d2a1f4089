import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { DeleteApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { getApplicationResource } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Removes an Application. */
export function deleteApplication(context: GatewayContext) {
  return async ({ namespace, name }: DeleteApplicationRequest) => {
    const { metadata } = await getApplicationResource(context, namespace, name)
    await context.store.delete('Application', metadata.namespace ?? controlPlaneNamespace, name)
    return {}
  }
}
