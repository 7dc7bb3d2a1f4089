import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { ParameterSet } from '@wadi/application-sets/params/parameter-set.ts'
import type {
  ApplicationSetService,
  GenerateApplicationsRequest,
  ListApplicationSetsRequest,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import { accessOf } from '../access/end-user.ts'
import { maySet, requireAnyApplication } from '../access/set-access.ts'
import { listedNamespaces, permittedNamespace } from '../access/set-namespace.ts'
import { projectOf, templateProjects } from '../access/set-objects.ts'
import { visibleSet } from '../access/visible-set.ts'
import { changeApplicationSet, refreshApplicationSet } from '../changes/change-application-set.ts'
import { deleteApplicationSet } from '../changes/delete-application-set.ts'
import { generateChecked } from '../changes/generated-set.ts'
import { ownedApplications, ownerUid } from '../changes/owned-applications.ts'
import { wantedSet, withIdentityOf } from '../changes/wanted-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { changeAnswer, changeWarnings } from './change-answer.ts'
import { elementPrinter } from './shown-element.ts'
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

/** Returns the Applications that an ApplicationSet generates, to those who may store it. */
function generateApplications(context: AppsetServiceContext) {
  return async ({ applicationSet }: GenerateApplicationsRequest, call: HandlerContext) => {
    const access = accessOf(context, call)
    const resource = context.store.storable(wantedSet(context, applicationSet).resource)
    requireAnyApplication(access, 'create', resource)
    const { namespace = controlPlaneNamespace, name } = resource.metadata
    const known = await context.store.get('ApplicationSet', namespace, name)
    const isVisible = known && maySet(access, 'get', known, await ownedApplications(context.store, known))
    // One that is hidden from the user is no other than one that does not exist.
    const stored = isVisible ? known : undefined
    const elements = new Map<string, ParameterSet>()
    const { generated } = await generateChecked(context, {
      access,
      stored,
      action: 'create',
      isRefresh: false,
      signal: call.signal,
      candidate: stored ? withIdentityOf(resource, stored) : resource,
      dryRun: true,
      // Nothing is stored, so nothing waits for a confirmation.
      confirmDeletions: false,
      onElement: ({ metadata }, element) => elements.set(metadata.name, element),
    })
    return {
      applications: generated.map((application) => shownObject(application)),
      elements: generated.flatMap(({ metadata }) => elements.get(metadata.name) ?? []).map(elementPrinter()),
    }
  }
}

/** Lists the ApplicationSets that the user may see. */
function listApplicationSets(context: AppsetServiceContext) {
  return async (request: ListApplicationSetsRequest, call: HandlerContext) => {
    const access = accessOf(context, call)
    const { selection, includes } = listedNamespaces(context, request.namespace)
    const wanted = { ...selection, ...(request.selector !== '' && { labelSelector: request.selector }) }
    const sets = await context.store.list('ApplicationSet', wanted)
    const applications = await context.store.list('Application', selection)
    const byOwner = Map.groupBy(applications.items, ownerUid)
    const ownedBy = ({ metadata: { uid } }: Resource): Resource[] =>
      uid === undefined ? [] : (byOwner.get(uid) ?? [])
    const isOfProjects = (set: Resource): boolean =>
      request.projects.length === 0 ||
      [...ownedBy(set).map(projectOf), ...templateProjects(set)].some((project) =>
        request.projects.includes(project),
      )
    const visible = sets.items.filter(
      (set) =>
        includes(set.metadata.namespace) && maySet(access, 'get', set, ownedBy(set)) && isOfProjects(set),
    )
    return { applicationSets: visible.map((set) => shownObject(set)) }
  }
}
