import type { ServiceImpl } from '@connectrpc/connect'
import type { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import { accessOf } from '../access/end-user.ts'
import { permittedNamespace } from '../access/set-namespace.ts'
import { visibleSet } from '../access/visible-set.ts'
import { changeApplicationSet, refreshApplicationSet } from '../changes/change-application-set.ts'
import { deleteApplicationSet } from '../changes/delete-application-set.ts'
import { wantedSet } from '../changes/wanted-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { changeAnswer, changeWarnings } from './change-answer.ts'
import { generateApplications } from './generate-applications.ts'
import { listApplicationSets } from './list-application-sets.ts'
import { watchApplicationSets } from './watch-application-sets.ts'

/** The RPCs of ApplicationSetService, which users call through the gateway; streams end when the service drains. */
export function applicationSetRoutes(context: AppsetServiceContext, draining: AbortSignal) {
  return {
    generateApplications: generateApplications(context),
    listApplicationSets: listApplicationSets(context),
    watchApplicationSets: watchApplicationSets(context, draining),
    async getApplicationSet({ namespace, name }, call) {
      const access = accessOf(context, call)
      const set = await visibleSet(context, access, permittedNamespace(context, namespace), name)
      return { applicationSet: shownObject(set), version: decidedVersion(set) }
    },
    /** Stores an ApplicationSet and its Applications, or changes the stored one to it. */
    async applyApplicationSet(request, call) {
      const { applicationSet, upsert, dryRun, confirmDeletions, reviewedPlan, version } = request
      const access = accessOf(context, call)
      const { signal } = call
      const options = { access, upsert, dryRun, confirmDeletions, reviewedPlan, version, signal }
      const change = await changeApplicationSet(context, wantedSet(context, applicationSet), options)
      return { ...changeAnswer(change), outcome: change.outcome, warnings: changeWarnings(change) }
    },
    /** Deletes an ApplicationSet with its Applications, or without them. */
    async deleteApplicationSet(request, call) {
      const { name, orphan, dryRun, isReviewed, reviewedApplications, version } = request
      const namespace = permittedNamespace(context, request.namespace)
      const reviewed = isReviewed ? { reviewed: new Set(reviewedApplications) } : {}
      const deletion = { namespace, name, orphan, dryRun, version, ...reviewed }
      return { applications: await deleteApplicationSet(context, accessOf(context, call), deletion) }
    },
    /** Generates a stored ApplicationSet again. */
    async refreshApplicationSet(request, call) {
      const { name, dryRun, confirmDeletions, reviewedPlan } = request
      const access = accessOf(context, call)
      const place = { namespace: permittedNamespace(context, request.namespace), name }
      const options = { access, dryRun, confirmDeletions, reviewedPlan, signal: call.signal }
      return changeAnswer(await refreshApplicationSet(context, place, options))
    },
  } satisfies ServiceImpl<typeof ApplicationSetService>
}
