import type { HandlerContext } from '@connectrpc/connect'
import { openCommitTree } from '@wadi/git/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror.ts'
import { assertBranchName } from '@wadi/git/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/destination-path.ts'
import type { GetBranchRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { branchStateAt } from '../branch/branch-state.ts'
import { hydratedFiles, pathInside } from '../branch/hydrated-files.ts'
import type { CommitServerContext } from '../context.ts'

const metadataSuffix = `/${hydratedFiles.metadata}`

/** Tells where a hydrated branch stands on the remote now. */
export function getBranch(context: CommitServerContext) {
  return async (request: GetBranchRequest, { signal }: HandlerContext) => {
    const { repoUrl, branch, project, withPaths, path } = request
    assertBranchName(branch)
    return context.mirrors.use(repoUrl, project, async (mirror) => {
      const askedAt = performance.now()
      const remote = await context.remoteRefs.read(mirror, true)
      const state = await branchStateAt(mirror, context.trees, { branch, syncBranch: '' }, remote, signal)
      context.branches.observed(mirror, branch, '', state, askedAt)
      const { head } = state
      const position = { headSha: head ?? '', drySha: state.drySha }
      if (head === undefined) return { position }
      const paths = withPaths ? await hydratedPaths(mirror, head, signal) : []
      const manifestId = path === undefined ? '' : await manifestIdOf(context, mirror, head, path)
      return { position, paths, manifestId }
    })
  }
}

async function hydratedPaths(mirror: Mirror, head: string, signal: AbortSignal): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', head]
  const { stdout } = await mirror.raw(args, { signal })
  const files = stdout.toString('utf8').split('\0')
  return files
    .filter((file) => file.endsWith(metadataSuffix))
    .map((file) => file.slice(0, -metadataSuffix.length))
}

async function manifestIdOf(
  { trees }: CommitServerContext,
  { objects }: Mirror,
  head: string,
  path: string,
): Promise<string> {
  const tree = await openCommitTree(objects, trees, head)
  return (await tree.entry(pathInside(cleanDestinationPath(path), hydratedFiles.manifest)))?.id ?? ''
}
