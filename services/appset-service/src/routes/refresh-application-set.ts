import type { HandlerContext } from '@connectrpc/connect'
import type { RefreshApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { accessOf } from '../access/end-user.ts'
import { permittedNamespace } from '../access/set-namespace.ts'
import { refreshApplicationSet as refresh } from '../changes/change-application-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { changeAnswer } from './change-answer.ts'

/** Generates a stored ApplicationSet again. */
export function refreshApplicationSet(context: AppsetServiceContext) {
  return async (request: RefreshApplicationSetRequest, call: HandlerContext) => {
    const { name, dryRun, confirmDeletions, reviewedPlan } = request
    const access = accessOf(context, call)
    const place = { namespace: permittedNamespace(context, request.namespace), name }
    const options = { access, dryRun, confirmDeletions, reviewedPlan, signal: call.signal }
    return changeAnswer(await refresh(context, place, options))
  }
}
