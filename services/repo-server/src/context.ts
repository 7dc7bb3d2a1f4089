import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import type { SourceInspection } from '@wadi/rendering/source-inspection.ts'
import type { RenderSource } from '@wadi/rendering/source.ts'
import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import type { SourceVerification } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { KeyPool } from '@wadi/signatures/key-pool.ts'
import { ensureCommit } from './revisions/fetch-commit.ts'
import { requireSignatures } from './revisions/require-signatures.ts'
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
  keys: KeyPool
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

/** A request that uses the files of a commit. */
export interface FilesRequest extends CommitRequest {
  verification?: SourceVerification | undefined
}

/**
 * Works with the files of a request's commit, once it has the signatures that the request asks for. There is no other
 * way to the files of a commit, so that no RPC can forget to verify it.
 * @throws NotFoundError when the repository has no such commit, and the errors of `requireSignatures`
 */
export async function withFiles<T>(
  context: RepoServerContext,
  request: FilesRequest,
  signal: AbortSignal,
  task: (tree: FileTree, mirror: Mirror) => Promise<T>,
): Promise<T> {
  return withCommit(context, request, async (mirror) => {
    await requireSignatures(context, mirror, request, signal)
    return task(await context.trees.open(mirror, request.sha), mirror)
  })
}

/**
 * Works with a source of a commit and what decides its output.
 * @throws InvalidInputError when the request names no source
 */
export async function withInspection<T>(
  context: RepoServerContext,
  request: FilesRequest & { source?: Source | undefined },
  signal: AbortSignal,
  task: (tree: FileTree, source: RenderSource, inspection: SourceInspection) => Promise<T>,
): Promise<T> {
  const { repoUrl, project, sha: revision, source: requested } = request
  if (!requested) throw new InvalidInputError('source is required')
  return withFiles(context, request, signal, async (tree) => {
    const source = context.renderer.readSource(repoUrl, requested)
    const { inspection } = await context.renderer.inspect({ tree, revision, project, source }, signal)
    return task(tree, source, inspection)
  })
}
