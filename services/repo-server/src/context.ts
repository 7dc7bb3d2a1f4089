import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import type { SourceInspection } from '@wadi/rendering/source-inspection.ts'
import type { RenderSource } from '@wadi/rendering/source.ts'
import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { ensureCommit } from './revisions/fetch-commit.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type { ConnectedPlugins } from '@wadi/plugin-client/open-plugins.ts'
import type { DryTrees } from './sources/dry-trees.ts'
import type { SourceRenderer } from './sources/source-renderer.ts'

/** What the RPCs of repo-server work with. */
export interface RepoServerContext {
  repositories: RepositoryStore
  mirrors: MirrorPool
  remoteRefs: RemoteRefsCache
  trees: DryTrees
  renderer: SourceRenderer
  plugins: ConnectedPlugins
}

/** A request that names a commit of a dry repository. */
interface CommitRequest {
  repoUrl: string
  project: string
  sha: string
}

/**
 * Works with the mirror of a request's repository with the request's commit in it.
 * @throws NotFoundError when the repository has no such commit
 */
export async function withCommit<T>(
  context: RepoServerContext,
  request: CommitRequest,
  task: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  return context.mirrors.use(request.repoUrl, request.project, async (mirror) => {
    await ensureCommit(mirror, request.sha, () => context.remoteRefs.read(mirror, { fresh: true }))
    return task(mirror)
  })
}

/**
 * Works with a source of a commit and what decides its output.
 * @throws InvalidInputError when the request names no source
 */
export async function withInspection<T>(
  context: RepoServerContext,
  request: CommitRequest & { source?: Source | undefined },
  signal: AbortSignal,
  task: (tree: FileTree, source: RenderSource, inspection: SourceInspection) => Promise<T>,
): Promise<T> {
  const { repoUrl, project, sha: revision, source: requested } = request
  if (!requested) throw new InvalidInputError('source is required')
  return withCommit(context, request, async (mirror) => {
    const tree = await context.trees.open(mirror, revision)
    const source = context.renderer.readSource(repoUrl, requested)
    const { inspection } = await context.renderer.inspect({ tree, revision, project, source }, signal)
    return task(tree, source, inspection)
  })
}
