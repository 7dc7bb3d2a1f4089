import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type {
  CompareManifestsRequest,
  HydratedManifests,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { manifestChanges } from '../applications/manifest-changes.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Compares the manifests of two hydrated commits of Applications that the caller may see. */
export function compareManifests(context: GatewayContext) {
  return async ({ before, after }: CompareManifestsRequest, call: HandlerContext) => {
    if (!before || !after) throw new InvalidInputError('before and after are required')
    const [old, next] = await Promise.all([readSide(context, call, before), readSide(context, call, after)])
    const isElsewhere = old.namespace !== next.namespace
    return {
      beforeSha: old.hydratedSha,
      beforeDrySha: old.drySha,
      afterSha: next.hydratedSha,
      afterDrySha: next.drySha,
      objects: isElsewhere
        ? manifestChanges(withoutOwnNamespace(old), withoutOwnNamespace(next))
        : manifestChanges(old, next),
    }
  }
}

async function readSide(
  context: GatewayContext,
  call: HandlerContext,
  { namespace, name, hydratedSha }: HydratedManifests,
) {
  if (hydratedSha !== '' && !isCommitSha(hydratedSha)) {
    throw new InvalidInputError(`hydratedSHA ${JSON.stringify(hydratedSha)} is not a full commit id`)
  }
  const { application } = await getStoredApplication(context, call, { namespace, name })
  const branch = hydratedBranchOf(application)
  if (!branch) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
  const path = application.hydrated?.syncSource.path ?? ''
  const read = await context.commitServer.getManifests(
    { repoUrl: branch.repoUrl, revision: hydratedSha || branch.branch, path, project: application.project },
    { signal: call.signal },
  )
  const file = `${path}/manifest.yaml of ${read.hydratedSha.slice(0, 7)}`
  return {
    hydratedSha: read.hydratedSha,
    drySha: read.drySha,
    files: read.files,
    manifests: parseManifests(read.manifest, { file }),
    namespace: application.destination.namespace ?? '',
  }
}

type Side = Awaited<ReturnType<typeof readSide>>

/** Returns a side whose objects have no namespace where that is the one of the destination, which manifests without one get. */
function withoutOwnNamespace({ manifests, namespace, ...side }: Side): Omit<Side, 'namespace'> {
  const moved = manifests.map((manifest): Manifest => {
    const { metadata } = manifest
    if (!isJsonObject(metadata) || metadata['namespace'] !== namespace) return manifest
    const { namespace: _own, ...rest } = metadata
    return { ...manifest, metadata: rest }
  })
  return { ...side, manifests: moved }
}
