import type { HandlerContext } from '@connectrpc/connect'
import type { DeleteApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { accessOf } from '../access/end-user.ts'
import { permittedNamespace } from '../access/set-namespace.ts'
import { deleteApplicationSet as deleteSet } from '../changes/delete-application-set.ts'
import type { AppsetServiceContext } from '../context.ts'

/** Deletes an ApplicationSet with its Applications, or without them. */
export function deleteApplicationSet(context: AppsetServiceContext) {
  return async (request: DeleteApplicationSetRequest, call: HandlerContext) => {
    const { name, orphan, dryRun, isReviewed, reviewedApplications, version } = request
    const namespace = permittedNamespace(context, request.namespace)
    const reviewed = isReviewed ? { reviewed: new Set(reviewedApplications) } : {}
    const deletion = { namespace, name, orphan, dryRun, version, ...reviewed }
    return { applications: await deleteSet(context, accessOf(context, call), deletion) }
  }
}
