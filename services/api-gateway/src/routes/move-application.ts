import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { objectAt } from '@wadi/fields/json-fields.ts'
import type { MoveApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutatePart } from '@wadi/resources/store/resource-store.ts'
import { requireDecidedVersion } from '@wadi/resources/decided-version.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getApplicationResource, permittedApplication, viewOne } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

type Branches = Pick<MoveApplicationRequest, 'syncBranch' | 'hydrateToBranch'>

/** Lets an Application be hydrated to other branches; of a request with a version, that one alone. It needs the right to update it. */
export function moveApplication(context: GatewayContext) {
  return async (request: MoveApplicationRequest, call: HandlerContext) => {
    const { name, version } = request
    const { metadata } = await getApplicationResource(context, call, request, 'update')
    const namespace = metadata.namespace ?? controlPlaneNamespace
    const resource = await mutatePart(context.store, 'Application', namespace, name, async (current) => {
      permittedApplication(context, call, name, current, 'update')
      requireDecidedVersion(current, version)
      const { branches, application } = moved(current, request, context)
      await requirePermittedByProject(context, application)
      return { spec: { sourceHydrator: branches } }
    })
    return { application: await viewOne(context, resource) }
  }
}

/**
 * Returns the fields of `sourceHydrator` that name other branches, and the Application with them.
 * @throws InvalidInputError for one that is not hydrated, for no branch at all, and for branches that break a rule
 */
function moved(
  resource: Resource,
  { syncBranch, hydrateToBranch }: Branches,
  { urlPolicy }: Pick<GatewayContext, 'urlPolicy'>,
) {
  if (syncBranch === '' && hydrateToBranch === '') {
    throw new InvalidInputError('sync_branch and hydrate_to_branch are both empty; name at least one branch')
  }
  const { spec = {}, metadata } = resource
  if (spec['sourceHydrator'] === undefined) {
    throw new InvalidInputError(
      `application ${metadata.name} has no spec.sourceHydrator, so it is on no branch`,
    )
  }
  const branches = {
    ...(syncBranch !== '' && { syncSource: { targetBranch: syncBranch } }),
    ...(hydrateToBranch !== '' && { hydrateTo: { targetBranch: hydrateToBranch } }),
  }
  const hydrator = objectAt(spec, 'sourceHydrator')
  const syncSource = { ...objectAt(hydrator, 'syncSource'), ...branches.syncSource }
  const sourceHydrator = { ...hydrator, ...branches, syncSource }
  const application = checkedApplication({ ...resource, spec: { ...spec, sourceHydrator } }, urlPolicy)
  return { branches, application }
}
