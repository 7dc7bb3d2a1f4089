import type { HandlerContext } from '@connectrpc/connect'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { newPullRequestPage } from '@wadi/forges/forge-pages.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { CommitFilesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import { readFileCommit } from '../commit/file-commit.ts'
import { pullRequestAdvice, writeFiles } from '../commit/write-files.ts'
import type { CommitServerContext } from '../context.ts'
import { knownForge } from '../forges/known-forge.ts'

/** Writes a few files to a branch that people own, with one commit. */
export function commitFiles(context: CommitServerContext) {
  return async (request: CommitFilesRequest, { signal }: HandlerContext) => {
    const { mirrors, repositories, trees, events } = context
    const { repoUrl, project, branch, newBranch } = request
    const commit = readFileCommit(request)
    try {
      const written = await mirrors.use(repoUrl, project, (mirror) =>
        writeFiles(mirror, trees, commit, signal),
      )
      events.filesCommitted(commit.branch, written)
      if (newBranch === '') return { sha: written.sha }
      const secret = selectSecret(await repositories.list(), repoUrl, project)
      const known = knownForge(repoUrl, secret)
      const page = newPullRequestPage(repoUrl, known, { from: newBranch, to: branch })
      return { sha: written.sha, pullRequestUrl: page }
    } catch (error) {
      if (!(error instanceof PermissionDeniedError)) throw error
      throw await withCredentialAdvice(context, request, error)
    }
  }
}

async function withCredentialAdvice(
  { repositories }: CommitServerContext,
  { repoUrl, project, branch }: CommitFilesRequest,
  cause: PermissionDeniedError,
): Promise<PermissionDeniedError> {
  const where = redactUrl(repoUrl)
  const known = selectSecret(await repositories.list(), repoUrl, project)
  const reason = known
    ? `refuses the write credentials of ${repositories.named(known)}`
    : 'has no write credentials stored'
  return new PermissionDeniedError(
    `branch ${branch} cannot be written: ${where} ${reason}; ` +
      `store some with "wadi repo add ${where} --write --username NAME", or ${pullRequestAdvice}`,
    { cause },
  )
}
