import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { ListCommitsBetweenRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { commitsBetween, type ListedCommit } from '../revisions/commits-between.ts'
import { ensureCommit } from '../revisions/fetch-commit.ts'

/** They are arguments of git. */
const maxShas = 500
const maxLimit = 1_000
const maxSubjectLength = 300

/** Lists the first-parent commits between several commits; of those that the repository does not have any more, nothing. */
export function listCommitsBetween(context: RepoServerContext) {
  return async ({ repoUrl, project, shas, limit }: ListCommitsBetweenRequest, { signal }: HandlerContext) => {
    if (shas.length > maxShas) throw new InvalidInputError(`${shas.length} commits are more than ${maxShas}`)
    if (limit < 1 || limit > maxLimit)
      throw new InvalidInputError(`limit must be 1 to ${maxLimit}, not ${limit}`)
    return context.mirrors.use(repoUrl, project, async (mirror) => {
      const named = await thoseThere(context, mirror, shas)
      const between = await commitsBetween(mirror, named, limit, signal)
      const commits = []
      for (const commit of between.commits) commits.push(await describe(mirror, commit))
      return { commits, hasMore: between.hasMore }
    })
  }
}

/** The commits that the mirror has, after those that it lacks were asked for once. */
async function thoseThere(
  { remoteRefs }: RepoServerContext,
  mirror: Mirror,
  shas: readonly string[],
): Promise<string[]> {
  let remote: ReturnType<typeof remoteRefs.read> | undefined
  const found: string[] = []
  for (const sha of new Set(shas)) {
    if (!isCommitSha(sha))
      throw new InvalidInputError(`${JSON.stringify(sha.slice(0, 100))} is not a commit SHA`)
    try {
      // The names of its files, which a part of a repository may lack, are not needed.
      if ((await mirror.objects.resolve(sha)) === undefined)
        await ensureCommit(mirror, sha, () => (remote ??= remoteRefs.read(mirror, { fresh: true })))
      found.push(sha)
    } catch (error) {
      // A branch whose history was written again loses commits.
      if (!(error instanceof NotFoundError)) throw error
    }
  }
  return found
}

async function describe(mirror: Mirror, { sha, parents }: ListedCommit) {
  const { author, date, committerDate, subject } = await readCommitMetadata(mirror.objects, sha)
  return {
    sha,
    author,
    date,
    committerDate,
    subject: subject.slice(0, maxSubjectLength),
    parents: [...parents],
  }
}
