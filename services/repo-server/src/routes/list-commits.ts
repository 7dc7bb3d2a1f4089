import type { ListCommitsRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { withCommit } from '../revisions/with-commit.ts'

const defaultLimit = 1000

/** Lists the first-parent commits between two commits; only the last one when the first is not an ancestor of it. */
export function listCommits(context: RepoServerContext) {
  return async ({ repoUrl, project, after, to, limit, chart }: ListCommitsRequest) => {
    // The versions of a chart have no order of commits: each that was resolved is one.
    if (chart) return { shas: [to] }
    return withCommit(context, { repoUrl, project, sha: to }, async (mirror) => {
      const mayBeThere = mirror.isPart || (await mirror.hasObject(after))
      const connected = mayBeThere && (await mirror.isAncestor(after, to))
      if (!connected) return { shas: [to] }
      const shas = await mirror.commitRange(after, to)
      return { shas: shas.slice(-(limit > 0 ? limit : defaultLimit)) }
    })
  }
}
