import type { HandlerContext } from '@connectrpc/connect'
import type { UpdateApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { permittedApplication, readUserApplication, viewOne } from '../applications/read-application.ts'
import { writeApplication } from '../applications/write-application.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'

/** Replaces an Application that exists; to move it to another project takes the right to create it there. */
export function updateApplication(context: GatewayContext) {
  return async ({ application, validate }: UpdateApplicationRequest, call: HandlerContext) => {
    const wanted = readUserApplication(application)
    const { resource } = await writeApplication(
      context,
      wanted,
      {
        replace: true,
        validate,
        permit: (stored) => {
          const current = permittedApplication(context, call, wanted.metadata.name, stored, 'update')
          requireStoreRight(context, call, policyObjectOf(wanted), policyObjectOf(current), true)
        },
      },
      call.signal,
    )
    return {
      application: await viewOne(context, resource),
      warnings: applicationWarnings(application ?? {}),
    }
  }
}
