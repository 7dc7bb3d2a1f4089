import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GatewayContext } from '../context.ts'

const branchRef = 'refs/heads/'

/**
 * The full id of the commit that a dry revision names on the remote now, and the branch that it names; `branch` is empty
 * for a tag, commit or version range.
 * @throws NotFoundError when there is none
 */
export async function resolveRevision(
  { repoServer }: Pick<GatewayContext, 'repoServer'>,
  { repoUrl, project }: { repoUrl: string; project: string },
  revision: string,
  signal: AbortSignal,
): Promise<{ sha: string; branch: string }> {
  const request = { repoUrl, project, revisions: [revision], refresh: true }
  const [resolved] = (await repoServer.resolveRevisions(request, { signal })).revisions
  if (!resolved || resolved.sha === '') {
    throw new NotFoundError(resolved?.error || `revision ${revision} was not resolved`)
  }
  const { sha, ref } = resolved
  return { sha, branch: ref.startsWith(branchRef) ? ref.slice(branchRef.length) : '' }
}
