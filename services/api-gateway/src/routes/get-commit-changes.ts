import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { GetCommitChangesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { manifestChanges } from '../applications/manifest-changes.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Shows what a hydrated commit changed of an Application's manifests. */
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
    const after = await read(hydratedSha || branch.branch, false)
    const before = await read(after.hydratedSha, true)
    const sideOf = ({ manifest, files, hydratedSha: sha }: typeof after) => ({
      manifests: parseManifests(manifest, { file: `${path}/manifest.yaml of ${sha.slice(0, 7)}` }),
      files,
    })
    return {
      hydratedSha: after.hydratedSha,
      drySha: after.drySha,
      parentSha: before.hydratedSha,
      parentDrySha: before.drySha,
      objects: manifestChanges(sideOf(before), sideOf(after)),
    }
  }
}
