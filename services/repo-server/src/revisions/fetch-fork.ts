import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RemoteRefs } from '@wadi/git/mirror/remote-refs.ts'
import { isStorableRef } from '@wadi/git/mirror/refspec.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { ForkBranch } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

/**
 * Fetches a branch of a fork into the mirror of its origin, unless all commits that are named are there.
 * @throws InvalidInputError for a repository of another host, NotFoundError for one that is not there or not shown
 */
export async function fetchFork(
  mirror: Mirror,
  { url, branch }: Pick<ForkBranch, 'url' | 'branch'>,
  revisions: readonly string[],
  remote: () => Promise<RemoteRefs>,
): Promise<void> {
  const known = await Promise.all(revisions.filter(isCommitSha).map((sha) => mirror.hasObject(sha)))
  if (known.length > 0 && known.every(Boolean)) return
  const ref = `refs/heads/${branch}`
  if (!isStorableRef(ref)) throw new InvalidInputError(`${JSON.stringify(branch)} is not a branch`)
  if (mirror.isPart) {
    // What the fork has in common with it need not be fetched.
    const { refs, head } = await remote()
    const sha = refs.get(`refs/heads/${head}`)
    if (sha !== undefined) await mirror.completeHistory([sha])
  }
  await withContext(`fork ${redactUrl(url)}`, () =>
    mirror.fetchFrom(url, [`+${ref}:${mirrorRef(`${url} ${ref}`)}`]),
  )
}
