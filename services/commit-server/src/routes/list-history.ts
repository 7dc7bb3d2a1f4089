import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import { readNote } from '@wadi/git/commit/read-note.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { type CommitTree, openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import type { ListHistoryRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { manifestCommits } from '../branch/manifest-commits.ts'
import { heldDryRecord } from '@wadi/hydration/held-metadata.ts'
import { readBranchState } from '../branch/branch-state.ts'
import type { CommitServerContext } from '../context.ts'

const defaultLimit = 100

/** The most directories of one request: they are arguments of git. */
const maxPaths = 1_000

/** Lists the commits of a hydrated branch that changed the manifests of directories, the newest first. */
export function listHistory(context: CommitServerContext) {
  return async (request: ListHistoryRequest, { signal }: HandlerContext) => {
    const { repoUrl, project, branch } = request
    assertBranchName(branch)
    const paths = [request.path, ...request.otherPaths].map(cleanDestinationPath)
    if (paths.length > maxPaths) {
      throw new InvalidInputError(`${paths.length} paths are more than ${maxPaths}`)
    }
    using lease = await context.mirrors.lease(repoUrl, project)
    const { mirror } = lease
    const { head, notes } = await readBranchState(mirror, context.trees, { branch, syncBranch: '' }, signal)
    if (head === undefined) throw new NotFoundError(`branch ${branch} does not exist yet`)
    const limit = request.limit > 0 ? request.limit : defaultLimit
    // Of several directories the commit is what all have in common, and every commit of a run writes the root's record.
    const recorded = request.otherPaths.length > 0 ? '' : (paths[0] ?? '')
    const entries = []
    const commits = await manifestCommits(mirror, context.trees, { head, paths, limit }, signal)
    const ready = async (sha: string): Promise<void> => {
      const tree = await openCommitTree(mirror.objects, context.trees, sha)
      await tree.ready([pathInside(recorded, hydratedFiles.metadata)])
    }
    await Promise.all(commits.map(({ sha }) => ready(sha)))
    for (const commit of commits) {
      const { sha: hydratedSha, changedPaths } = commit
      const {
        committerDate: date,
        author,
        subject,
        parents,
      } = await readCommitMetadata(mirror.objects, hydratedSha)
      const tree = await openCommitTree(mirror.objects, context.trees, hydratedSha)
      const { drySha } = await heldDryRecord(tree, recorded)
      const note = notes && (await readNote(mirror, context.trees, notes, hydratedSha))
      const keeps = async () => await keepsRecord({ mirror, context, tree, recorded }, parents[0])
      const foreign = note === undefined && (drySha === '' || (await keeps()))
      entries.push({ hydratedSha, drySha, date, author, subject, foreign, changedPaths })
    }
    return { entries }
  }
}

interface RecordQuestion {
  readonly mirror: Mirror
  readonly context: CommitServerContext
  readonly tree: CommitTree
  readonly recorded: string
}

/** Returns true if the record of a directory equals that of the previous commit, which neither Wadi nor a merge leaves unchanged. */
async function keepsRecord(
  { mirror, context, tree, recorded }: RecordQuestion,
  parent: string | undefined,
): Promise<boolean> {
  if (parent === undefined) return false
  const file = pathInside(recorded, hydratedFiles.metadata)
  const before = await openCommitTree(mirror.objects, context.trees, parent)
  return (await tree.entry(file))?.id === (await before.entry(file))?.id
}
