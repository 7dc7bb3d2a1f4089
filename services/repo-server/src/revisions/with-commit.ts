import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import { ensureCommit } from './fetch-commit.ts'

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
  { mirrors, remoteRefs }: { mirrors: MirrorPool; remoteRefs: RemoteRefsCache },
  { repoUrl, project, sha }: CommitRequest,
  task: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  return mirrors.use(repoUrl, project, async (mirror) => {
    await ensureCommit(mirror, sha, () => remoteRefs.read(mirror, { fresh: true }))
    return task(mirror)
  })
}
