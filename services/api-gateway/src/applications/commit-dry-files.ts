import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type {
  CommitFilesRequestSchema,
  CommitFilesResponse,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { callerOf } from '../authentication/caller.ts'
import { commitAuthor } from '../authentication/commit-author.ts'
import type { GatewayContext } from '../context.ts'

type DryCommit = Omit<
  MessageInitShape<typeof CommitFilesRequestSchema>,
  '$typeName' | '$unknown' | 'authorName' | 'authorEmail'
> & { repoUrl: string; newBranch: string }

/**
 * Commits files to a dry branch in the caller's name, and has the repository looked at, so that hydration starts. A new branch, for a
 * pull request, is hydrated by nobody.
 * @throws ConflictError when somebody else changed one of the files meanwhile
 */
export async function commitDryFiles(
  context: Pick<GatewayContext, 'commitServer' | 'hydrator' | 'logger'>,
  commit: DryCommit,
  call: HandlerContext,
): Promise<CommitFilesResponse> {
  const { commitServer, hydrator, logger } = context
  const author = commitAuthor(callerOf(call))
  const committed = await commitServer.commitFiles({ ...commit, ...author }, { signal: call.signal })
  if (commit.newBranch !== '') return committed
  try {
    await hydrator.refreshRepository({ repoUrl: commit.repoUrl }, { timeoutMs: 10_000 })
  } catch (error) {
    // The commit is there already, and the hydrator finds it by itself later.
    logger.warn({ err: error }, 'hydrator could not be notified of a commit')
  }
  return committed
}
