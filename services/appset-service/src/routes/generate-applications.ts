import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type { GenerateApplicationsRequest } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { openGuard } from '../inputs/input-guard.ts'
import { parseApplicationSet } from '../application-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { applicationsOf } from '../generate-applications.ts'

/** Returns the Applications that an ApplicationSet generates. */
export function generateApplications(context: AppsetServiceContext) {
  return async ({ applicationSet }: GenerateApplicationsRequest, { signal }: HandlerContext) => {
    const set = parseApplicationSet(applicationSet)
    const applications = await applicationsOf(set, context, { guard: openGuard, signal })
    context.events.generated(set.name, applications.length)
    return { applications: applications.map((application) => application as JsonObject) }
  }
}
