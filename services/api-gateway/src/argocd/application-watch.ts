import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { ApplicationQuery } from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { WatchApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { getApplicationResource } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { watchApplications } from '../routes/watch-applications.ts'
import { applicationOnTheWire } from './application-on-the-wire.ts'
import { applicationFilter } from './application-query.ts'

/** Streams the Applications that the caller may see; one that is named and does not exist is reported as deleted. */
export async function* watchFromArgocd(
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
