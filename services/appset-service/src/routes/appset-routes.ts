import type { ServiceImpl } from '@connectrpc/connect'
import type { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import type { AppsetServiceContext } from '../context.ts'
import { applyApplicationSet } from './apply-application-set.ts'
import { deleteApplicationSet } from './delete-application-set.ts'
import { generateApplications } from './generate-applications.ts'
import { getApplicationSet } from './get-application-set.ts'
import { listApplicationSets } from './list-application-sets.ts'
import { refreshApplicationSet } from './refresh-application-set.ts'
import { watchApplicationSets } from './watch-application-sets.ts'

/** The RPCs that users make; streams end when the service drains. */
export function appsetRoutes(
  context: AppsetServiceContext,
  draining: AbortSignal,
): Omit<ServiceImpl<typeof AppsetService>, 'refreshRepository'> {
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
