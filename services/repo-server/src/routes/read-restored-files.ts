import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { changedEntries } from '@wadi/file-trees/changed-files.ts'
import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import { repositoryPath } from '@wadi/file-trees/repository-path.ts'
import type { ReadRestoredFilesRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { ensureCommit } from '../revisions/fetch-commit.ts'
import { withCommit } from '../revisions/with-commit.ts'

/** The most that one commit of commit-server has. */
const maxFiles = 100
const maxTotalBytes = 4 * 1024 * 1024
const maxFileBytes = 1024 * 1024

/**
 * Returns the text files by which a directory differs from what it was at an earlier commit.
 * @throws FailedPreconditionError for a commit that is not in the history, and for what cannot be written as a text file: a symlink, a
 * submodule, an executable, an empty file or other bytes; ResourceExhaustedError for too much
 */
export function readRestoredFiles(context: RepoServerContext) {
  return async (request: ReadRestoredFilesRequest, { signal }: HandlerContext) => {
    const directory = repositoryPath(request.directory, 'directory')
    await requireInHistory(context, request, signal)
    const { restoredSha } = request
    return context.files.use({ ...request, sha: restoredSha }, signal, async ({ tree: after }) =>
      context.files.use(request, signal, async ({ tree: before }) => ({
        files: await restoredFiles(before, after, directory, signal),
      })),
    )
  }
}

async function requireInHistory(
  context: RepoServerContext,
  { repoUrl, project, sha, restoredSha }: ReadRestoredFilesRequest,
  signal: AbortSignal,
): Promise<void> {
  const isInHistory = await withCommit(context, { repoUrl, project, sha }, async (mirror) => {
    await ensureCommit(mirror, restoredSha, () => context.remoteRefs.read(mirror, { fresh: true }))
    return mirror.isAncestor(restoredSha, sha, signal)
  })
  if (isInHistory) return
  throw new FailedPreconditionError(
    `commit ${restoredSha.slice(0, 7)} is not in the history of ${sha.slice(0, 7)}: there is nothing to go back to`,
  )
}

async function restoredFiles(before: FileTree, after: FileTree, directory: string, signal: AbortSignal) {
  const files: { path: string; before: string; after: string }[] = []
  let total = 0
  for await (const { path, old, next } of changedEntries(before, after, directory)) {
    signal.throwIfAborted()
    if (files.length === maxFiles)
      throw new ResourceExhaustedError(`more than ${maxFiles} files differ; go back with git`)
    const [was, shall] = [await textOf(before, path, old), await textOf(after, path, next)]
    if (next && shall === '')
      throw new FailedPreconditionError(
        `${path} was an empty file, which cannot be written; go back with git`,
      )
    total += shall.length
    if (total > maxTotalBytes)
      throw new ResourceExhaustedError(`the files have more than ${maxTotalBytes} bytes; go back with git`)
    files.push({ path, before: was, after: shall })
  }
  return files
}

async function textOf(tree: FileTree, path: string, entry: FileEntry | undefined): Promise<string> {
  if (!entry) return ''
  if (entry.kind !== 'file')
    throw new FailedPreconditionError(`${path} is a ${entry.kind}, not a plain file; go back with git`)
  const content = await tree.read(path, maxFileBytes)
  const text = content.toString()
  if (!Buffer.from(text).equals(content))
    throw new FailedPreconditionError(`${path} is not a text file; go back with git`)
  return text
}
