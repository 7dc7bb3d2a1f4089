import type { HandlerContext } from '@connectrpc/connect'
import type { CommitManifestsRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { positionOf } from '../branch/branch-position.ts'
import { readCommitRequest } from '../commit/commit-request.ts'
import { writeCommit } from '../commit/write-commit.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'

/** Makes the content of one dry commit that of one hydrated branch. */
export function commitManifests(context: CommitServerContext) {
  return async (requests: AsyncIterable<CommitManifestsRequest>, { signal }: HandlerContext) => {
    const { branches, trees, events, maxCommitBytes } = context
    const request = await readCommitRequest(requests, maxCommitBytes)
    const { repoUrl, project, targetBranch, syncBranch } = request.header
    const outcome = await useDestination(context, request.header, (mirror) =>
      branches.exclusive(mirror, async () => {
        const known = branches.known(mirror, targetBranch, syncBranch)
        const written = await writeCommit(mirror, trees, request, known, signal)
        branches.written(mirror, targetBranch, syncBranch, written.state)
        return written
      }),
    )
    events.committed(targetBranch, outcome)
    const { hydratedSha, changedPaths, rebuilt } = outcome
    const position = positionOf(outcome.state)
    const anonymous = await isAnonymous(context, repoUrl, project)
    return { hydratedSha, changedPaths, rebuilt, position, anonymous }
  }
}

/** Whether a server took a push from nobody in particular. */
async function isAnonymous(
  { repositories }: CommitServerContext,
  repoUrl: string,
  project: string,
): Promise<boolean> {
  return /^https?:/iu.test(repoUrl) && (await repositories.identityFor(repoUrl, project)) === ''
}
