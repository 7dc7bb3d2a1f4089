import type { HandlerContext } from '@connectrpc/connect'
import type { UpdateApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { getApplicationResource, readUserApplication, viewOne } from '../applications/read-application.ts'
import { storeObject, validateSource } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** Replaces an Application that exists. */
export function updateApplication(context: GatewayContext) {
  return async ({ application, validate }: UpdateApplicationRequest, { signal }: HandlerContext) => {
    const wanted = readUserApplication(application)
    await getApplicationResource(context, wanted.metadata.namespace ?? '', wanted.metadata.name)
    if (validate) await validateSource(context, wanted, signal)
    const { resource } = await storeObject(context, wanted, { replace: true })
    return { application: await viewOne(context, resource) }
  }
}
