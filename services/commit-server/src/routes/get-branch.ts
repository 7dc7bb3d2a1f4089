import type { HandlerContext } from '@connectrpc/connect'
import { assertBranchName } from '@wadi/git/revision.ts'
import type { GetBranchRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readBranchState } from '../branch/branch-state.ts'
import type { CommitServerContext } from '../context.ts'

const metadataSuffix = '/hydrator.metadata'

/** Tells where a hydrated branch stands on the remote now. */
export function getBranch(context: CommitServerContext) {
  return async ({ repoUrl, branch, project, withPaths }: GetBranchRequest, { signal }: HandlerContext) => {
    assertBranchName(branch)
    return context.mirrors.use(repoUrl, project, async (mirror) => {
      const state = await readBranchState(mirror, context.trees, { branch, syncBranch: '' }, signal)
      context.branches.remember(mirror, branch, '', state)
      const position = { headSha: state.head ?? '', drySha: state.drySha }
      if (!withPaths || state.head === undefined) return { position, paths: [] }
      const { stdout } = await mirror.raw(['ls-tree', '-r', '-z', '--name-only', '--full-tree', state.head], {
        signal,
      })
      const paths = stdout
        .toString('utf8')
        .split('\0')
        .filter((file) => file.endsWith(metadataSuffix))
        .map((file) => file.slice(0, -metadataSuffix.length))
      return { position, paths }
    })
  }
}
