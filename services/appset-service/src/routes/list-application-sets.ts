import type { HandlerContext } from '@connectrpc/connect'
import type { ListApplicationSetsRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import { accessOf } from '../access/end-user.ts'
import { maySet } from '../access/set-access.ts'
import { listedNamespaces } from '../access/set-namespace.ts'
import { projectOf, templateProjects } from '../access/set-objects.ts'
import { ownerUid } from '../changes/owned-applications.ts'
import type { AppsetServiceContext } from '../context.ts'

/** Lists the ApplicationSets that the user may see. */
export function listApplicationSets(context: AppsetServiceContext) {
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
