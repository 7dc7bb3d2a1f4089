import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { HydrateApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { getStoredApplication, viewOne } from '../applications/read-application.ts'
import { requestHydration } from '../applications/request-hydration.ts'
import type { GatewayContext } from '../context.ts'

/** Asks for a hydration of an Application's branch now. @throws FailedPreconditionError for one that is left to Argo CD's own hydrator */
export function hydrateApplication(context: GatewayContext) {
  return async ({ namespace, name, hard }: HydrateApplicationRequest, call: HandlerContext) => {
    const { resource, application } = await getStoredApplication(context, call, { namespace, name }, 'sync')
    if (!application.hydrated) {
      throw new FailedPreconditionError(
        `application ${name} has no spec.sourceHydrator; there is nothing to hydrate`,
      )
    }
    const requested = await requestHydration(context, call, resource, hard)
    if (requested.leftAlone !== '') throw new FailedPreconditionError(requested.leftAlone)
    return { application: await viewOne(context, requested.resource) }
  }
}
