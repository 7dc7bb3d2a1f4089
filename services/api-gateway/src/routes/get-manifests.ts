import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { GetManifestsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import {
  type FileBesideManifests,
  GetManifestsResponseSchema,
} from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { type Application, hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { resolveRevision } from '../applications/resolve-revision.ts'
import { dryRequest } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** Returns an Application's manifests from its hydrated branch, or rendered from a dry revision. */
export function getManifests(context: GatewayContext) {
  return async (request: GetManifestsRequest, call: HandlerContext) => {
    const { signal } = call
    const { application } = await getStoredApplication(context, call, request)
    const branch = hydratedBranchOf(application)
    if (!branch) throw new FailedPreconditionError(`application ${request.name} has no spec.sourceHydrator`)
    if (request.dryRevision !== '') return renderAt(context, application, request.dryRevision, signal)
    return context.commitServer.getManifests(
      {
        repoUrl: branch.repoUrl,
        revision: request.hydratedRevision || branch.branch,
        path: application.hydrated?.syncSource.path ?? '',
        project: application.project,
      },
      { signal },
    )
  }
}

async function renderAt(
  context: GatewayContext,
  application: Application,
  revision: string,
  signal: AbortSignal,
) {
  await requirePermittedByProject(context, application)
  const { repoUrl, project, source } = dryRequest(application)
  const { sha, verification } = await resolveRevision(context, { repoUrl, project }, revision, signal)
  const manifests: string[] = []
  const commands: string[] = []
  const files: FileBesideManifests[] = []
  for await (const part of context.repoServer.renderSources(
    { repoUrl, project, sha, verification, sources: [source] },
    { signal },
  )) {
    if (part.error !== '') throw new InvalidInputError(part.error)
    manifests.push(...part.manifests)
    commands.push(...(part.record?.commands ?? []))
    files.push(...part.files)
  }
  const manifest = emitManifests(manifests.map((text) => manifestFromJson(text)))
  return create(GetManifestsResponseSchema, { manifest, drySha: sha, commands, files })
}
