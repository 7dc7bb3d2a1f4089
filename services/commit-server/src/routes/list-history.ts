import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import type { ListHistoryRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { heldDryRecord } from '../branch/held-metadata.ts'
import { readBranchState } from '../branch/branch-state.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import type { CommitServerContext } from '../context.ts'

const defaultLimit = 100

/** Lists the commits of a hydrated branch that changed a directory's manifests, the newest first. */
export function listHistory(context: CommitServerContext) {
  return async (request: ListHistoryRequest, { signal }: HandlerContext) => {
    const { repoUrl, project, branch } = request
    assertBranchName(branch)
    const path = cleanDestinationPath(request.path)
    const mirror = await context.mirrors.open(repoUrl, project)
    const { head } = await readBranchState(mirror, context.trees, { branch, syncBranch: '' }, signal)
    if (head === undefined) throw new NotFoundError(`branch ${branch} does not exist yet`)
    const limit = request.limit > 0 ? request.limit : defaultLimit
    const manifest = pathInside(path, hydratedFiles.manifest)
    const { stdout } = await mirror.raw(
      ['log', '--format=%H', `--max-count=${limit}`, head, '--', manifest],
      { signal },
    )
    const entries = []
    for (const hydratedSha of stdout.toString('latin1').split('\n').filter(Boolean)) {
      const { committerDate: date, author, subject } = await readCommitMetadata(mirror.objects, hydratedSha)
      const tree = await openCommitTree(mirror.objects, context.trees, hydratedSha)
      const { drySha } = await heldDryRecord(tree, path)
      entries.push({ hydratedSha, drySha, date, author, subject })
    }
    return { entries }
  }
}
