import type { HandlerContext } from '@connectrpc/connect'
import type { GetGatesRequest } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Returns the gates of the operator for an Application that the caller may get. */
export function getGates(context: GatewayContext) {
  return async (asked: GetGatesRequest, call: HandlerContext) => {
    const { application } = await getStoredApplication(context, call, asked)
    await requirePermittedByProject(context, application)
    const { namespace = '', name } = application.metadata
    return context.hydrator.getGates({ namespace, name }, { signal: call.signal })
  }
}
