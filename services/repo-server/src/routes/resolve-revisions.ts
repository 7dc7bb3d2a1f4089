import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { isArtifactUrl } from '@wadi/git/remote/chart-location.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RemoteRefs } from '@wadi/git/mirror/remote-refs.ts'
import type { ResolveRevisionsRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { fetchRevision } from '../revisions/fetch-commit.ts'
import { isOfSource } from '../sources/inspect-one.ts'

/** Resolves and fetches revisions; each that cannot be resolved carries its own error. */
export function resolveRevisions(context: RepoServerContext) {
  return async (request: ResolveRevisionsRequest, { signal }: HandlerContext) => {
    const { repoUrl, project, revisions, branches, refresh, probe, atOnce } = request
    const { renderer } = context
    const identities = {
      renderers: await context.gated.identity(),
      tools: await renderer.tools(),
      ...(await renderer.versions()),
    }
    if (revisions.length === 0 && branches.length === 0) return identities
    if (request.chart !== '' || isArtifactUrl(repoUrl))
      return { ...(await context.chartRevisions.resolve(request, signal)), ...identities }
    const credentials = await context.repositories.identityFor(repoUrl, project)
    const resolveAll = async (mirror: Mirror) => {
      const lastSeen = () => context.remoteRefs.read(mirror, { fresh: false })
      if (request.fork) {
        const { fetchFork } = await import('../revisions/fetch-fork.ts')
        await fetchFork(mirror, request.fork, revisions, lastSeen)
      }
      const known = branches.length === 0 ? await announcedRefs(context, mirror, request) : undefined
      const remote = known ?? (await context.remoteRefs.read(mirror, { fresh: refresh, probe, atOnce }))
      const resolved = await Promise.all(revisions.map((revision) => resolveOne(mirror, revision, remote)))
      const heads = branches.map((branch) => ({ branch, sha: remote.refs.get(`refs/heads/${branch}`) ?? '' }))
      return { revisions: resolved, heads }
    }
    return { ...(await context.mirrors.use(repoUrl, project, resolveAll)), ...identities, credentials }
  }
}

/** The refs that revisions name when all of them are announced branches; undefined when the remote must be asked. */
async function announcedRefs(
  { announcedHeads, remoteRefs }: RepoServerContext,
  mirror: Mirror,
  { revisions, announced }: Pick<ResolveRevisionsRequest, 'revisions' | 'announced'>,
): Promise<RemoteRefs | undefined> {
  const refs = new Map<string, string>()
  for (const revision of new Set(revisions)) {
    const named = announced.find(({ branch }) => branch === revision)
    const head = named && (await announcedHeads.head(mirror, named, remoteRefs.askedAt(mirror)))
    if (head === undefined) return undefined
    refs.set(`refs/heads/${revision}`, head)
  }
  return { refs }
}

async function resolveOne(mirror: Mirror, revision: string, remote: RemoteRefs) {
  try {
    return { revision, ...(await fetchRevision(mirror, revision, remote)) }
  } catch (error) {
    if (!isOfSource(error)) throw error
    return { revision, error: errorMessage(error) }
  }
}
