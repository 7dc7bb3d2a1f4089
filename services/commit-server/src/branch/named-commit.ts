import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { CommitServerContext } from '../context.ts'
import { readBranchState } from './branch-state.ts'
import { isReachable } from './ensure-commits.ts'

/**
 * The commit that a revision of the hydrated history names: the head of a branch, or a full id, which is fetched when it is not here.
 * @throws NotFoundError if there is no such branch or commit
 */
export async function namedCommit(
  { trees }: Pick<CommitServerContext, 'trees'>,
  mirror: Mirror,
  revision: string,
  signal: AbortSignal,
): Promise<string> {
  if (isCommitSha(revision)) {
    if (await isOnBranch(mirror, revision, signal)) return revision
    throw new NotFoundError(`commit ${revision} does not exist on any branch of the repository`)
  }
  assertBranchName(revision)
  const { head } = await readBranchState(mirror, trees, { branch: revision, syncBranch: '' }, signal)
  if (head === undefined) throw new NotFoundError(`branch ${revision} does not exist yet`)
  return head
}

async function isOnBranch(mirror: Mirror, sha: string, signal: AbortSignal): Promise<boolean> {
  if (await mirror.hasObject(sha)) return true
  if (!mirror.isPart) {
    await mirror.fetch(['+refs/heads/*:refs/wadi/heads/*'], signal)
    return mirror.hasObject(sha)
  }
  const { refs } = await mirror.listRemote(signal)
  const heads = [...refs].flatMap(([ref, head]) => (ref.startsWith('refs/heads/') ? [head] : []))
  return isReachable(mirror, sha, heads, signal)
}
