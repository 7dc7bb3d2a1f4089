import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type {
  ApplicationService,
  LabelApplicationRequest,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { requireDecidedVersion } from '@wadi/resources/decided-version.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutatePart } from '@wadi/resources/store/resource-store.ts'
import {
  getApplicationResource,
  getStoredApplication,
  permittedApplication,
  readUserApplication,
  viewOne,
} from '../applications/read-application.ts'
import { requestHydration } from '../applications/request-hydration.ts'
import { retryConflicts } from '../applications/retry-conflicts.ts'
import { writeApplication } from '../applications/write-application.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'

/** The RPCs that change one Application. */
export function changedApplicationRoutes(context: GatewayContext) {
  return {
    /** Stores a new Application. Replacing one needs the rights of an update; what is hidden is never replaced. */
    async createApplication({ application, upsert, validate }, call) {
      const wanted = readUserApplication(application)
      const permit = (stored: Resource | undefined) =>
        requireStoreRight(context, call, policyObjectOf(wanted), stored && policyObjectOf(stored), upsert)
      const options = { replace: upsert, validate, permit }
      const { resource, outcome } = await writeApplication(context, wanted, options, call.signal)
      return {
        application: await viewOne(context, resource),
        outcome,
        warnings: applicationWarnings(application ?? {}),
      }
    },
    /** Replaces an Application that exists; to move it to another project takes the right to create it there. */
    async updateApplication({ application, validate }, call) {
      const wanted = readUserApplication(application)
      const permit = (stored: Resource | undefined) => {
        const current = permittedApplication(context, call, wanted.metadata.name, stored, 'update')
        requireStoreRight(context, call, policyObjectOf(wanted), policyObjectOf(current), true)
      }
      const options = { replace: true, validate, permit }
      const { resource } = await writeApplication(context, wanted, options, call.signal)
      return {
        application: await viewOne(context, resource),
        warnings: applicationWarnings(application ?? {}),
      }
    },
    labelApplication: (request, call) => labelApplication(context, request, call),
    /** Removes an Application; of a request with a version, that one alone. */
    deleteApplication: ({ namespace, name, version }, call) =>
      retryConflicts(async () => {
        const resource = await getApplicationResource(context, call, { namespace, name }, 'delete')
        requireDecidedVersion(resource, version)
        const { metadata } = resource
        const { resourceVersion } = metadata
        // The version that the right was asked for: another one may be of another project.
        await context.store.delete('Application', metadata.namespace ?? controlPlaneNamespace, name, {
          ...(resourceVersion !== undefined && { resourceVersion }),
        })
        return {}
      }),
    /** Asks for a hydration of an Application's branch now. @throws FailedPreconditionError for one that is left to Argo CD's own hydrator */
    async hydrateApplication({ namespace, name, hard }, call) {
      const { resource, application } = await getStoredApplication(context, call, { namespace, name }, 'sync')
      if (!application.hydrated) {
        throw new FailedPreconditionError(
          `application ${name} has no spec.sourceHydrator; there is nothing to hydrate`,
        )
      }
      const requested = await requestHydration(context, call, resource, hard)
      if (requested.leftAlone !== '') throw new FailedPreconditionError(requested.leftAlone)
      return { application: await viewOne(context, requested.resource) }
    },
  } satisfies Partial<ServiceImpl<typeof ApplicationService>>
}

/**
 * Sets and removes labels of an Application, also of one whose spec breaks a rule that came later; of a request with a version, of that one
 * alone. It needs the right to update it.
 */
async function labelApplication(
  context: GatewayContext,
  request: LabelApplicationRequest,
  call: HandlerContext,
) {
  const { name, labels, removed, version } = request
  if (Object.keys(labels).length + removed.length === 0) {
    throw new InvalidInputError('labels and removed are both empty; name at least one label')
  }
  const { store } = context
  const { metadata } = await getApplicationResource(context, call, request, 'update')
  const namespace = metadata.namespace ?? controlPlaneNamespace
  const resource = await mutatePart(store, 'Application', namespace, name, (current) => {
    permittedApplication(context, call, name, current, 'update')
    requireDecidedVersion(current, version)
    const kept = Object.entries(current.metadata.labels ?? {}).filter(([key]) => !removed.includes(key))
    const wanted = { ...Object.fromEntries(kept), ...labels }
    const checked = checkedResource({ ...current, metadata: { ...current.metadata, labels: wanted } })
    const gone = Object.fromEntries(removed.map((key) => [key, null]))
    return { metadata: { labels: { ...gone, ...store.storable(checked).metadata.labels } } }
  })
  return { application: await viewOne(context, resource) }
}
