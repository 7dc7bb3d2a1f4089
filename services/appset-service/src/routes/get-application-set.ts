import type { HandlerContext } from '@connectrpc/connect'
import type { GetApplicationSetRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { accessOf } from '../access/end-user.ts'
import { permittedNamespace } from '../access/set-namespace.ts'
import { visibleSet } from '../access/visible-set.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import type { AppsetServiceContext } from '../context.ts'

/** Returns an ApplicationSet that the user may see. */
export function getApplicationSet(context: AppsetServiceContext) {
  return async ({ namespace, name }: GetApplicationSetRequest, call: HandlerContext) => {
    const access = accessOf(context, call)
    const set = await visibleSet(context, access, permittedNamespace(context, namespace), name)
    return { applicationSet: shownObject(set), version: decidedVersion(set) }
  }
}
