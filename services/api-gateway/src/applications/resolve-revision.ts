import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { sourceVerification, type Verification } from '@wadi/hydration/source-verification.ts'
import type { GatewayContext } from '../context.ts'

const branchRef = 'refs/heads/'

/**
 * The full id of the commit that a dry revision names on the remote now, the branch that it names, and whose signatures
 * the commit needs for the project; `branch` is empty for a tag, commit or version range.
 * @throws NotFoundError when there is none
 */
export async function resolveRevision(
  { repoServer, store }: Pick<GatewayContext, 'repoServer' | 'store'>,
  { repoUrl, project }: { repoUrl: string; project: string },
  revision: string,
  signal: AbortSignal,
): Promise<{ sha: string; branch: string; verification: Verification }> {
  const request = { repoUrl, project, revisions: [revision], refresh: true }
  const [resolved] = (await repoServer.resolveRevisions(request, { signal })).revisions
  if (!resolved || resolved.sha === '') {
    throw new NotFoundError(resolved?.error || `revision ${revision} was not resolved`)
  }
  const { sha, ref } = resolved
  const verification = await sourceVerification(store, { repoUrl, projects: [project], revision })
  return { sha, branch: ref.startsWith(branchRef) ? ref.slice(branchRef.length) : '', verification }
}
