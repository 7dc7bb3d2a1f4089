import { create } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type {
  ApplicationQuery,
  ApplicationService,
} from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import {
  DeleteApplicationRequestSchema,
  GetApplicationRequestSchema,
  ListApplicationsRequestSchema,
  WatchApplicationsRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { getApplicationResource } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { changedApplicationRoutes } from '../routes/changed-applications.ts'
import { getApplication } from '../routes/get-application.ts'
import { listApplications } from '../routes/list-applications.ts'
import { watchApplications } from '../routes/watch-applications.ts'
import { createFromArgocd, updateFromArgocd, updateSpecFromArgocd } from './application-changes.ts'
import { applicationHistory } from './application-history.ts'
import { listManagedResources, renderManifests } from './application-manifests.ts'
import { applicationOnTheWire } from './application-on-the-wire.ts'
import { applicationFilter, projectsOf } from './application-query.ts'
import { newestVersion } from './list-version.ts'
import { getProjectApplication } from './project-application.ts'
import { unsupportedOfApplications } from './unsupported-of-applications.ts'

/** Argo CD's ApplicationService over the gateway's own; streams end when the gateway drains. */
export function argocdApplications(
  context: GatewayContext,
  draining: AbortSignal,
): ServiceImpl<typeof ApplicationService> {
  return {
    ...unsupportedOfApplications,
    async list(query, call) {
      const { appNamespace: namespace, selector } = query
      const request = create(ListApplicationsRequestSchema, {
        namespace,
        selector,
        projects: projectsOf(query),
      })
      const { applications } = await listApplications(context)(request, call)
      const items = applications.filter(applicationFilter(query)).map((view) => applicationOnTheWire(view))
      return { metadata: { resourceVersion: newestVersion(items) }, items }
    },
    watch: (query, call) => watchFromArgocd(context, draining, query, call),
    get: (query, call) => get(context, query, call),
    async create(request, call) {
      return applicationOnTheWire(await createFromArgocd(context, call, request))
    },
    async update(request, call) {
      return applicationOnTheWire(await updateFromArgocd(context, call, request))
    },
    async updateSpec(request, call) {
      return applicationOnTheWire(await updateSpecFromArgocd(context, call, request)).spec ?? {}
    },
    async delete({ name, appNamespace: namespace, project }, call) {
      await getProjectApplication(context, call, { name, namespace, project })
      await changedApplicationRoutes(context).deleteApplication(
        create(DeleteApplicationRequestSchema, { name, namespace }),
        call,
      )
      return {}
    },
    managedResources: (query, call) => listManagedResources(context, call, query),
    getManifests: (query, call) => renderManifests(context, call, query),
  }
}

async function get(context: GatewayContext, query: ApplicationQuery, call: HandlerContext) {
  const { name, appNamespace: namespace, refresh } = query
  const [project = ''] = projectsOf(query)
  await getProjectApplication(context, call, { name, namespace, project })
  const request = create(GetApplicationRequestSchema, { name, namespace, refresh })
  const { application, branches } = await getApplication(context)(request, call)
  const { history, conditions = [] } = await applicationHistory(
    context,
    call,
    { name, namespace },
    application,
  )
  return applicationOnTheWire(application, {
    ...(history && { history }),
    conditions:
      branches && 'promotion' in branches && branches.promotion === 'Waiting'
        ? [...conditions, waitingForPromotion(branches.hydrateToBranch, branches.syncBranch)]
        : conditions,
  })
}

function waitingForPromotion(staging: string, branch: string) {
  return { type: 'PromotionWaiting', message: `${staging} has manifests that ${branch} has not yet` }
}

/** Streams the Applications that the caller may see; one that is named and does not exist is reported as deleted. */
async function* watchFromArgocd(
  context: GatewayContext,
  draining: AbortSignal,
  query: ApplicationQuery,
  call: HandlerContext,
) {
  const { name, appNamespace: namespace } = query
  const isWanted = applicationFilter(query)
  if (name !== '' && !(await isVisible(context, call, { name, namespace }))) {
    // Argo CD's command line asks for a deletion and then waits until that is reported, which may have been before.
    yield {
      type: 'DELETED',
      application: { metadata: { name, namespace: namespace || controlPlaneNamespace } },
    }
  }
  const request = create(WatchApplicationsRequestSchema, { name, namespace })
  for await (const { type, application } of watchApplications(context, draining)(request, call)) {
    if (isWanted(application)) yield { type, application: applicationOnTheWire(application) }
  }
}

async function isVisible(
  context: GatewayContext,
  call: HandlerContext,
  reference: { name: string; namespace: string },
): Promise<boolean> {
  try {
    await getApplicationResource(context, call, reference)
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}
