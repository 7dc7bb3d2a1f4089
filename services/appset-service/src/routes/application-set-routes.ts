import type { ServiceImpl } from '@connectrpc/connect'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import type { AppsetServiceContext } from '../context.ts'
import { applyApplicationSet } from './apply-application-set.ts'
import { deleteApplicationSet } from './delete-application-set.ts'
import { generateApplications } from './generate-applications.ts'
import { getApplicationSet } from './get-application-set.ts'
import { listApplicationSets } from './list-application-sets.ts'
import { refreshApplicationSet } from './refresh-application-set.ts'
import { watchApplicationSets } from './watch-application-sets.ts'

/** The RPCs of ApplicationSetService, which users call through the gateway; streams end when the service drains. */
export function applicationSetRoutes(
  context: AppsetServiceContext,
  draining: AbortSignal,
): ServiceImpl<typeof ApplicationSetService> {
  return {
    generateApplications: generateApplications(context),
    applyApplicationSet: applyApplicationSet(context),
    deleteApplicationSet: deleteApplicationSet(context),
    getApplicationSet: getApplicationSet(context),
    listApplicationSets: listApplicationSets(context),
    watchApplicationSets: watchApplicationSets(context, draining),
    refreshApplicationSet: refreshApplicationSet(context),
  }
}
