import { errorMessage } from '@wadi/errors/domain-error.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import type { ListBranchHeadsRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'

/** Returns the heads of branches with one request to the remote; it is for polls, so it also asks a remote that was unavailable. */
export function listBranchHeads(context: CommitServerContext) {
  return async ({ repoUrl, project, branches }: ListBranchHeadsRequest) => {
    for (const branch of branches) assertBranchName(branch)
    const { remoteRefs, repositories } = context
    const credentials = await repositories.identityFor(repoUrl, project)
    try {
      const { refs } = await useDestination(context, { repoUrl, project }, (mirror) =>
        remoteRefs.read(mirror, { fresh: true, probe: true }),
      )
      return {
        heads: branches.map((branch) => ({ branch, sha: refs.get(`refs/heads/${branch}`) ?? '' })),
        credentials,
      }
    } catch (error) {
      return { credentials, error: errorMessage(error) }
    }
  }
}
