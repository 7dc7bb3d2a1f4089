import { DomainError, errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ResolveRevisionsRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { fetchRevision } from '../revisions/fetch-commit.ts'

/** Resolves and fetches revisions; each that cannot be resolved carries its own error. */
export function resolveRevisions(context: RepoServerContext) {
  return async ({ repoUrl, project, revisions, refresh }: ResolveRevisionsRequest) => {
    const mirror = await context.mirrors.open(repoUrl, project)
    const remote = await context.remoteRefs.read(mirror, refresh)
    const resolveOne = async (revision: string) => {
      try {
        return { revision, sha: await fetchRevision(mirror, revision, remote) }
      } catch (error) {
        if (!(error instanceof DomainError) || error instanceof UnavailableError) throw error
        return { revision, error: errorMessage(error) }
      }
    }
    const { renderers } = context.renderer
    return { revisions: await Promise.all(revisions.map(resolveOne)), renderers }
  }
}
