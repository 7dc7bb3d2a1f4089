import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { GetCommitChangesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { manifestChanges } from '../applications/manifest-changes.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Shows what a hydrated commit changed of an Application's manifests. That a commit of somebody else left no manifests, or none that
 * can be read, is an answer; what it left is not shown, as Secrets in it could not be masked.
 */
export function getCommitChanges(context: GatewayContext) {
  return async (request: GetCommitChangesRequest, { values, signal }: HandlerContext) => {
    const { name, hydratedSha } = request
    if (hydratedSha !== '' && !isCommitSha(hydratedSha)) {
      throw new InvalidInputError(`hydratedSHA ${JSON.stringify(hydratedSha)} is not a full commit id`)
    }
    const { application } = await getStoredApplication(context, { values }, request)
    const branch = hydratedBranchOf(application)
    if (!branch) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
    const path = application.hydrated?.syncSource.path ?? ''
    const { project } = application
    const read = (revision: string, parent: boolean) =>
      context.commitServer.getManifests(
        { repoUrl: branch.repoUrl, path, project, revision, parent },
        { signal },
      )
    const after = await readOrNothing(hydratedSha, () => read(hydratedSha || branch.branch, false))
    const before = await read(after.hydratedSha, true)
    const shas = {
      hydratedSha: after.hydratedSha,
      drySha: after.drySha,
      parentSha: before.hydratedSha,
      parentDrySha: before.drySha,
    }
    const changed = objectsOf(after, path)
    if ('error' in changed) return { ...shas, error: changed.error }
    const previous = objectsOf(before, path)
    const side = 'error' in previous ? { manifests: [], files: before.files } : previous
    return { ...shas, objects: manifestChanges(side, changed) }
  }
}

type Directory = Pick<
  Awaited<ReturnType<GatewayContext['commitServer']['getManifests']>>,
  'hydratedSha' | 'drySha' | 'manifest' | 'files'
>

/** Returns the contents of a directory after a commit; empty if a named commit removed everything. */
async function readOrNothing(sha: string, read: () => Promise<Directory>): Promise<Directory> {
  try {
    return await read()
  } catch (error) {
    if (sha === '' || !(error instanceof NotFoundError)) throw error
    return { hydratedSha: sha, drySha: '', manifest: '', files: [] }
  }
}

function objectsOf({ manifest, files, hydratedSha }: Directory, path: string) {
  const file = `${path}/manifest.yaml of ${hydratedSha.slice(0, 7)}`
  try {
    return { manifests: parseManifests(manifest, { file }), files }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return { error: error.message }
  }
}
