import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { type CommitTree, openCommitTree } from '@wadi/git/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/revision.ts'
import { cleanDestinationPath } from '@wadi/hydration/destination-path.ts'
import type { GetManifestsRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readBranchState } from '../branch/branch-state.ts'
import { hydratedFiles, pathInside } from '../branch/hydrated-files.ts'
import type { CommitServerContext } from '../context.ts'

const maxFileBytes = 64 * 1024 * 1024

/** Reads what a hydrated directory holds, at a branch's head or at a commit of its history. */
export function getManifests(context: CommitServerContext) {
  return async (request: GetManifestsRequest, { signal }: HandlerContext) => {
    const { repoUrl, project, revision } = request
    const path = cleanDestinationPath(request.path)
    const mirror = await context.mirrors.open(repoUrl, project)
    const hydratedSha = await resolve(context, mirror, revision, signal)
    const tree = await openCommitTree(mirror.objects, context.trees, hydratedSha)
    const manifest = await readFile(tree, path, hydratedFiles.manifest)
    if (manifest === undefined) {
      throw new NotFoundError(
        `${path || '.'} of ${revision} holds no manifest.yaml; it was not hydrated there yet`,
      )
    }
    return { hydratedSha, manifest, metadata: (await readFile(tree, path, hydratedFiles.metadata)) ?? '' }
  }
}

async function resolve(
  context: CommitServerContext,
  mirror: Mirror,
  revision: string,
  signal: AbortSignal,
): Promise<string> {
  if (isCommitSha(revision)) {
    if (!(await mirror.hasObject(revision))) await mirror.fetch(['+refs/heads/*:refs/wadi/heads/*'], signal)
    if (await mirror.hasObject(revision)) return revision
    throw new NotFoundError(`commit ${revision} does not exist on any branch of the repository`)
  }
  assertBranchName(revision)
  const { head } = await readBranchState(mirror, context.trees, { branch: revision, syncBranch: '' }, signal)
  if (head === undefined) throw new NotFoundError(`branch ${revision} does not exist yet`)
  return head
}

async function readFile(tree: CommitTree, directory: string, name: string): Promise<string | undefined> {
  const path = pathInside(directory, name)
  const entry = await tree.entry(path)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return undefined
  return (await tree.read(path, maxFileBytes)).toString('utf8')
}
