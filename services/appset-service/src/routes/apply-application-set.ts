import type { HandlerContext } from '@connectrpc/connect'
import type { ApplyApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { accessOf } from '../access/end-user.ts'
import { changeApplicationSet } from '../changes/change-application-set.ts'
import { wantedSet } from '../changes/wanted-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { changeAnswer, changeWarnings } from './change-answer.ts'

/** Stores an ApplicationSet and its Applications, or changes the stored one to it. */
export function applyApplicationSet(context: AppsetServiceContext) {
  return async (request: ApplyApplicationSetRequest, call: HandlerContext) => {
    const { applicationSet, upsert, dryRun, confirmDeletions, reviewedPlan, version } = request
    const access = accessOf(context, call)
    const options = { access, upsert, dryRun, confirmDeletions, reviewedPlan, version, signal: call.signal }
    const change = await changeApplicationSet(context, wantedSet(context, applicationSet), options)
    return { ...changeAnswer(change), outcome: change.outcome, warnings: changeWarnings(change) }
  }
}
