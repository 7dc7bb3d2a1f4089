import type { HandlerContext } from '@connectrpc/connect'
import type { FindMergeBaseRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { ensureCommit } from '../revisions/fetch-commit.ts'
import { withCommit } from '../revisions/with-commit.ts'

/** Finds the newest commit that the histories of two commits share. */
export function findMergeBase(context: RepoServerContext) {
  return async ({ repoUrl, project, sha, otherSha }: FindMergeBaseRequest, { signal }: HandlerContext) =>
    withCommit(context, { repoUrl, project, sha }, async (mirror) => {
      await ensureCommit(mirror, otherSha, () => context.remoteRefs.read(mirror, { fresh: true }))
      return { sha: (await mirror.mergeBase(sha, otherSha, signal)) ?? '' }
    })
}
