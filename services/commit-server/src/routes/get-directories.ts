import type { HandlerContext } from '@connectrpc/connect'
import { workAhead } from '@wadi/concurrency/work-ahead.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import { readDirectory } from '@wadi/hydration/read-directory.ts'
import type { GetDirectoriesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { namedCommit } from '../branch/named-commit.ts'
import type { CommitServerContext } from '../context.ts'

const maxPaths = 1_000

/** Directories that are read before it is their turn, so that git is asked for several at a time. */
const readAhead = 8

/** Reads what several directories of one hydrated commit hold. */
export function getDirectories(context: CommitServerContext) {
  return async function* (
    { repoUrl, project, revision, paths }: GetDirectoriesRequest,
    { signal }: HandlerContext,
  ) {
    if (paths.length > maxPaths) {
      throw new InvalidInputError(`${paths.length} directories are asked for; at most ${maxPaths} at a time`)
    }
    using lease = await context.mirrors.lease(repoUrl, project)
    const { mirror } = lease
    const sha = await namedCommit(context, mirror, revision, signal)
    const tree = await openCommitTree(mirror.objects, context.trees, sha)
    const contentOf = workAhead(paths, readAhead, (path) => readDirectory(tree, cleanDestinationPath(path)))
    for (const path of new Set(paths)) {
      const content = await contentOf(path)
      if (content) yield { path, manifest: content.manifest, files: [...content.files] }
    }
  }
}
