import type { HandlerContext } from '@connectrpc/connect'
import type { ApplyResourceRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { isWriteType, readRepositorySecret, secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import { parseAppProject } from '@wadi/resources/app-project.ts'
import { parseApplication } from '@wadi/resources/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { readUserObject, toStruct } from '../applications/read-application.ts'
import { storeObject } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** Creates an object or changes the stored one to it. */
export function applyResource(context: GatewayContext) {
  return async ({ resource, dryRun }: ApplyResourceRequest, { signal }: HandlerContext) => {
    const wanted = readUserObject(resource)
    check(wanted)
    if (isRepositorySecret(wanted)) {
      return applyRepositorySecret(context, wanted, dryRun, signal)
    }
    const stored = await storeObject(context, wanted, { replace: true, dryRun })
    const outcome = stored.outcome === 'updated' ? 'configured' : stored.outcome
    return { resource: toStruct(withoutSecrets(stored.resource)), outcome }
  }
}

/** Whether a Secret is for the services with credentials, as those of clusters are not. */
function isRepositorySecret({ kind, metadata }: Resource): boolean {
  const type = metadata.labels?.[secretTypeLabel]
  return kind === 'Secret' && type !== undefined && type !== 'cluster'
}

function check(resource: Resource): void {
  if (resource.kind === 'Application') parseApplication(resource)
  if (resource.kind === 'AppProject') parseAppProject(resource)
}

/** Hands repository credentials on; whoever holds them cannot tell whether they are new, so the outcome is `configured`. */
async function applyRepositorySecret(
  { repoServer, commitServer }: GatewayContext,
  secret: Resource,
  dryRun: boolean,
  signal: AbortSignal,
) {
  const { type } = readRepositorySecret(secret)
  const put = { secretJson: JSON.stringify(secret), skipValidation: true, upsert: true }
  if (!dryRun && isWriteType(type)) await commitServer.putWriteRepository(put, { signal })
  else if (!dryRun) await repoServer.putRepository(put, { signal })
  return { resource: toStruct(withoutSecrets(secret)), outcome: 'configured' }
}

/** What may be told of a Secret: kubectl's annotation repeats its values, and a misspelt field may hold them. */
function withoutSecrets(resource: Resource): Resource {
  const { apiVersion, kind, metadata, type } = resource
  if (kind !== 'Secret') return resource
  const { 'kubectl.kubernetes.io/last-applied-configuration': _values, ...annotations } =
    metadata.annotations ?? {}
  return { apiVersion, kind, metadata: { ...metadata, ...(metadata.annotations && { annotations }) }, type }
}
