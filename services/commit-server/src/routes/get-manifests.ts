import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { type CommitTree, openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/mirror/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { filesFolder, maxFilesBytes } from '@wadi/hydration/files-folder.ts'
import type { GetManifestsRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readBranchState } from '../branch/branch-state.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
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
    const manifest = await readFile(tree, path, hydratedFiles.manifest, maxFileBytes)
    if (manifest === undefined) {
      throw new NotFoundError(
        `${path || '.'} of ${revision} holds no ${hydratedFiles.manifest}; it was not hydrated there yet`,
      )
    }
    const metadata = (await readFile(tree, path, hydratedFiles.metadata, maxFileBytes)) ?? ''
    const { drySha, files: listed } = readHydratorMetadata(metadata)
    return { hydratedSha, drySha, manifest, metadata, files: await readListedFiles(tree, path, listed) }
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

/**
 * The files that a record names and that are there.
 * @throws ResourceExhaustedError when somebody made them larger together than a hydration may
 */
async function readListedFiles(
  tree: CommitTree,
  directory: string,
  listed: readonly string[],
): Promise<{ path: string; content: string }[]> {
  const files: { path: string; content: string }[] = []
  let left = maxFilesBytes
  for (const path of listed) {
    const content = await readFile(tree, pathInside(directory, filesFolder), path, left)
    if (content === undefined) continue
    left -= Buffer.byteLength(content)
    files.push({ path, content })
  }
  return files
}

async function readFile(
  tree: CommitTree,
  directory: string,
  name: string,
  maxBytes: number,
): Promise<string | undefined> {
  const path = pathInside(directory, name)
  const entry = await tree.entry(path)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return undefined
  return (await tree.read(path, maxBytes)).toString('utf8')
}
