import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { joinManifests } from '@wadi/manifests/join-manifests.ts'
import type { GetManifestsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import {
  type GetManifestsResponse,
  GetManifestsResponseSchema,
} from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { type Application, hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { hideSecrets } from '../applications/hidden-secrets.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { renderDry } from '../applications/render-dry.ts'
import { resolveDry } from '../applications/resolve-dry.ts'
import { dryRequests } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Returns an Application's manifests from its hydrated branch, or rendered from a dry revision. Values of Secrets are hidden
 * unless they are asked for by somebody who may read them.
 */
export function getManifests(context: GatewayContext) {
  return async (request: GetManifestsRequest, call: HandlerContext) => {
    const { resource, application } = await getStoredApplication(context, call, request)
    const object = applicationObject(resource)
    const answer = await manifestsOf(context, application, request, call.signal)
    if (request.plainSecrets && context.authorization.allows(call, 'secrets', 'get', object)) return answer
    return { ...answer, ...hideSecrets(context, object, answer.manifest) }
  }
}

async function manifestsOf(
  context: GatewayContext,
  application: Application,
  { name, dryRevision, hydratedRevision }: GetManifestsRequest,
  signal: AbortSignal,
): Promise<GetManifestsResponse> {
  const branch = hydratedBranchOf(application)
  if (!branch) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
  if (dryRevision !== '') return renderAt(context, application, dryRevision, signal)
  return context.commitServer.getManifests(
    {
      repoUrl: branch.repoUrl,
      revision: hydratedRevision || branch.branch,
      path: application.hydrated?.syncSource.path ?? '',
      project: application.project,
    },
    { signal },
  )
}

async function renderAt(
  context: GatewayContext,
  application: Application,
  revision: string,
  signal: AbortSignal,
) {
  await requirePermittedByProject(context, application)
  const parts = await Promise.all(
    dryRequests(application).map(async (dry) => {
      const resolved = await resolveDry(context, dry, revision, signal)
      return { ...(await renderDry(context, { ...dry, ...resolved }, signal)), drySha: resolved.drySha }
    }),
  )
  const [first, ...more] = parts
  const manifests = parts.flatMap((part) => part.manifests)
  return create(GetManifestsResponseSchema, {
    manifest: emitManifests(more.length === 0 ? manifests : joinManifests(manifests).manifests),
    drySha: first?.drySha ?? '',
    commands: parts.flatMap((part) => part.commands),
    files: [...new Map(parts.flatMap((part) => part.files.map((file) => [file.path, file]))).values()],
  })
}
