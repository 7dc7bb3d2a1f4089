import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { assertBranchName, assertCommitSha } from '@wadi/git/mirror/revision.ts'
import { assertTreePath } from '@wadi/git/objects/tree-path.ts'
import type { CommitFilesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'

const maxFiles = 100
const maxBytes = 4 * 1024 * 1024
const maxMessageBytes = 64 * 1024

/** A commit of a few files to a branch that people own. */
export interface FileCommit {
  /** Short name of the branch. */
  branch: string
  /** Gets the commit in the place of `branch`, and must not exist; empty for `branch` itself. */
  newBranch: string
  /** The commit that the contents were computed from. */
  baseSha: string
  /** Each path comes once; undefined content removes the file. */
  files: { path: string; content: Buffer | undefined }[]
  /** Ends with a line feed. */
  message: string
  authorName: string
  authorEmail: string
}

/**
 * Reads a request. An empty content stands for a file that shall not be there: an edit that leaves nothing of a file
 * gives no text, and no file of parameters is of use while it is empty.
 * @throws InvalidInputError that names the field, ResourceExhaustedError above 100 files, 4 MiB of contents or 64 KiB
 * of message
 */
export function readFileCommit(request: CommitFilesRequest): FileCommit {
  const { repoUrl, branch, newBranch, baseSha, files, message, authorName, authorEmail } = request
  for (const [field, value] of Object.entries({ repoURL: repoUrl, branch, baseSha, message })) {
    if (value.trim() === '') throw new InvalidInputError(`${field} is required`)
  }
  assertBranchName(branch)
  if (newBranch !== '') assertBranchName(newBranch)
  assertCommitSha(baseSha)
  if (Buffer.byteLength(message) > maxMessageBytes) {
    throw new ResourceExhaustedError(`the commit's message exceeds ${maxMessageBytes} bytes; shorten it`)
  }
  return {
    branch,
    newBranch,
    baseSha,
    files: readFiles(files),
    message: message.endsWith('\n') ? message : `${message}\n`,
    authorName,
    authorEmail,
  }
}

function readFiles(files: CommitFilesRequest['files']): FileCommit['files'] {
  if (files.length === 0) throw new InvalidInputError('files is empty; name at least one')
  if (files.length > maxFiles) {
    throw new ResourceExhaustedError(
      `${files.length} files are too many for one commit; ${maxFiles} can be written`,
    )
  }
  const paths = new Set<string>()
  let bytes = 0
  const read = files.map(({ path, content }) => {
    assertTreePath(path)
    if (paths.has(path)) throw new InvalidInputError(`file ${JSON.stringify(path)} comes twice`)
    paths.add(path)
    const buffer = Buffer.from(content)
    bytes += buffer.length
    return { path, content: buffer.length === 0 ? undefined : buffer }
  })
  if (bytes > maxBytes) {
    throw new ResourceExhaustedError(
      `the files have ${bytes} bytes together; ${maxBytes} can be written at once`,
    )
  }
  return read
}
