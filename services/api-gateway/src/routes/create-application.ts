import type { HandlerContext } from '@connectrpc/connect'
import type { CreateApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { readUserApplication, viewOne } from '../applications/read-application.ts'
import { storeObject, validateSource } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** Stores a new Application. */
export function createApplication(context: GatewayContext) {
  return async ({ application, upsert, validate }: CreateApplicationRequest, { signal }: HandlerContext) => {
    const wanted = readUserApplication(application)
    if (validate) await validateSource(context, wanted, signal)
    const { resource, outcome } = await storeObject(context, wanted, { replace: upsert })
    return { application: await viewOne(context, resource), outcome }
  }
}
