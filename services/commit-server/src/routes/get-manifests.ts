import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { readDirectory } from '@wadi/hydration/read-directory.ts'
import type { GetManifestsRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ensureCommits } from '../branch/ensure-commits.ts'
import { namedCommit } from '../branch/named-commit.ts'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { CommitServerContext } from '../context.ts'

/** Reads what a hydrated directory holds, at a branch's head, at a commit of its history or at the commit before. */
export function getManifests(context: CommitServerContext) {
  return async (request: GetManifestsRequest, { signal }: HandlerContext) => {
    const { repoUrl, project, revision } = request
    const path = cleanDestinationPath(request.path)
    using lease = await context.mirrors.lease(repoUrl, project)
    const { mirror } = lease
    const named = await namedCommit(context, mirror, revision, signal)
    const hydratedSha = request.parent ? await parentOf(mirror, named) : named
    if (hydratedSha === undefined) return { hydratedSha: '', drySha: '' }
    await ensureCommits(mirror, [hydratedSha], signal)
    const tree = await openCommitTree(mirror.objects, context.trees, hydratedSha)
    const content = await readDirectory(tree, path)
    if (content === undefined) {
      if (request.parent) return { hydratedSha, drySha: '' }
      throw new NotFoundError(
        `${path || '.'} of ${revision} holds no ${hydratedFiles.manifest}; it was not hydrated there yet`,
      )
    }
    const { drySha } = readHydratorMetadata(content.metadata)
    return {
      hydratedSha,
      drySha,
      ...content,
      objectFiles: [...content.objectFiles],
      files: [...content.files],
    }
  }
}

async function parentOf(mirror: Mirror, sha: string): Promise<string | undefined> {
  return (await readCommitMetadata(mirror.objects, sha)).parents[0]
}
