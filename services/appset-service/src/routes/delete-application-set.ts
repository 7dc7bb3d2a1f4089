import type { HandlerContext } from '@connectrpc/connect'
import type { DeleteApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { accessOf } from '../access/end-user.ts'
import { permittedNamespace } from '../access/set-namespace.ts'
import { deleteApplicationSet as deleteSet } from '../changes/delete-application-set.ts'
import type { AppsetServiceContext } from '../context.ts'

/** Deletes an ApplicationSet with its Applications, or without them. */
export function deleteApplicationSet(context: AppsetServiceContext) {
  return async ({ namespace, name, orphan }: DeleteApplicationSetRequest, call: HandlerContext) => {
    const place = { namespace: permittedNamespace(context, namespace), name, orphan }
    return { applications: await deleteSet(context, accessOf(context, call), place) }
  }
}
