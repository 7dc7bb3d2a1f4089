import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { Mirror, RemoteRefs } from '@wadi/git/mirror/mirror.ts'
import type { ResolveRevisionsRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { fetchRevision } from '../revisions/fetch-commit.ts'
import { isOfSource } from './inspect-sources.ts'

/** Resolves and fetches revisions; each that cannot be resolved carries its own error. */
export function resolveRevisions(context: RepoServerContext) {
  return async (request: ResolveRevisionsRequest) => {
    const { repoUrl, project, revisions, branches, refresh, probe } = request
    const renderers = await context.renderer.identity()
    if (revisions.length === 0 && branches.length === 0) return { renderers }
    const credentials = await context.repositories.identityFor(repoUrl, project)
    const resolveAll = async (mirror: Mirror) => {
      const remote = await context.remoteRefs.read(mirror, { fresh: refresh, probe })
      const resolved = await Promise.all(revisions.map((revision) => resolveOne(mirror, revision, remote)))
      const heads = branches.map((branch) => ({ branch, sha: remote.refs.get(`refs/heads/${branch}`) ?? '' }))
      return { revisions: resolved, heads }
    }
    return { ...(await context.mirrors.use(repoUrl, project, resolveAll)), renderers, credentials }
  }
}

async function resolveOne(mirror: Mirror, revision: string, remote: RemoteRefs) {
  try {
    return { revision, ...(await fetchRevision(mirror, revision, remote)) }
  } catch (error) {
    if (!isOfSource(error)) throw error
    return { revision, error: errorMessage(error) }
  }
}
