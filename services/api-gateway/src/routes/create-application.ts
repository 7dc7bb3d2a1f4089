import type { HandlerContext } from '@connectrpc/connect'
import type { CreateApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { readUserApplication, viewOne } from '../applications/read-application.ts'
import { writeApplication } from '../applications/write-application.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'

/** Stores a new Application. Replacing one needs the rights of an update; what is hidden is never replaced. */
export function createApplication(context: GatewayContext) {
  return async ({ application, upsert, validate }: CreateApplicationRequest, call: HandlerContext) => {
    const wanted = readUserApplication(application)
    const { resource, outcome } = await writeApplication(
      context,
      wanted,
      {
        replace: upsert,
        validate,
        permit: (stored) =>
          requireStoreRight(context, call, policyObjectOf(wanted), stored && policyObjectOf(stored), upsert),
      },
      call.signal,
    )
    return {
      application: await viewOne(context, resource),
      outcome,
      warnings: applicationWarnings(application ?? {}),
    }
  }
}
