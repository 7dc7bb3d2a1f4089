import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { maskedSecrets } from '@wadi/manifests/mask-secrets.ts'
import type {
  ApplicationManifestQuery,
  ResourcesQuery,
} from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import type { GatewayContext } from '../context.ts'
import { managedResources, renderedManifests } from './managed-resources.ts'
import { namespaceFiller } from './manifest-namespaces.ts'
import { getProjectApplication } from './project-application.ts'

/** Returns the objects of an Application on its hydrated branch and as its dry source renders to them. */
export async function listManagedResources(
  context: GatewayContext,
  call: HandlerContext,
  query: ResourcesQuery,
) {
  const { applicationName: name, appNamespace: namespace, project } = query
  const stored = parseApplication(await getProjectApplication(context, call, { name, namespace, project }))
  const items = await managedResources(context, call, {
    name,
    namespace,
    dryRevision: stored.hydrated?.drySource.targetRevision ?? '',
    destinationNamespace: stored.destination.namespace ?? '',
  })
  const isWanted = (field: 'namespace' | 'name' | 'group' | 'kind', value = '') =>
    query[field] === '' || query[field] === value
  return {
    items: items.filter(
      (item) =>
        isWanted('kind', item.kind) &&
        isWanted('group', item.group) &&
        isWanted('namespace', item.namespace) &&
        isWanted('name', item.name),
    ),
  }
}

/** Returns what the dry source of an Application renders to at a dry revision; values of Secrets are masked. */
export async function renderManifests(
  context: GatewayContext,
  call: HandlerContext,
  query: ApplicationManifestQuery,
) {
  const { name, appNamespace: namespace, project } = query
  if (query.revisions.length > 0 || query.sourcePositions.length > 0) {
    throw new InvalidInputError(
      'revisions and source positions are for Applications with several sources; a dry source is one: use --revision',
    )
  }
  const stored = parseApplication(await getProjectApplication(context, call, { name, namespace, project }))
  const { hydrated, destination } = stored
  const dryRevision = query.revision || (hydrated?.drySource.targetRevision ?? '')
  const { manifests, drySha, commands } = await renderedManifests(context, call, {
    name,
    namespace,
    dryRevision,
  })
  const fillNamespace = namespaceFiller(manifests, destination.namespace ?? '')
  return {
    manifests: manifests.flatMap((manifest) => {
      const [shown] = maskedSecrets(fillNamespace(manifest), undefined)
      return shown ? [manifestToJson(shown)] : []
    }),
    namespace: destination.namespace ?? '',
    server: destination.server ?? '',
    revision: drySha,
    commands,
  }
}
