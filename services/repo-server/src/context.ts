import type { Mirror } from '@wadi/git/mirror.ts'
import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { ensureCommit } from './revisions/fetch-commit.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type { DryTrees } from './sources/dry-trees.ts'
import type { SourceRenderer } from './sources/source-renderer.ts'

/** What the RPCs of repo-server work with. */
export interface RepoServerContext {
  repositories: RepositoryStore
  mirrors: MirrorPool
  remoteRefs: RemoteRefsCache
  trees: DryTrees
  renderer: SourceRenderer
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
    await ensureCommit(mirror, request.sha, () => context.remoteRefs.read(mirror, true))
    return task(mirror)
  })
}
