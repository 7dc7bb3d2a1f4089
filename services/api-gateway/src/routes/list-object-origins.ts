import type { HandlerContext } from '@connectrpc/connect'
import type { ListObjectOriginsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import type { KeptObjects } from '../applications/kept-objects.ts'
import type { keepOrigins } from '../applications/object-origins.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

const maxOrigins = 5_000

/** Lists the templates and files that the objects of a hydrated commit were made from. */
export function listObjectOrigins(
  context: GatewayContext,
  kept: KeptObjects,
  originsOf: ReturnType<typeof keepOrigins>,
) {
  return async (request: ListObjectOriginsRequest, call: HandlerContext) => {
    const { application } = await getStoredApplication(context, call, request)
    const commit = await kept.of(application, request.name, request.hydratedSha)
    const { origins, positionOf } = await originsOf(application, commit)
    return {
      hydratedSha: commit.hydratedSha,
      origins: origins.slice(0, maxOrigins),
      unknown: commit.objects.filter(({ identity }) => positionOf(identity) === 0).length,
    }
  }
}
