import { setTimeout as delay } from 'node:timers/promises'
import {
  AlreadyExistsError,
  ConflictError,
  FailedPreconditionError,
  NotFoundError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { buildCommit } from '@wadi/git/commit/build-commit.ts'
import { objectId } from '@wadi/git/objects/object-id.ts'
import { openCommitTree, type CommitTree, type TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import { pushRefs } from '@wadi/git/commit/push.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { isReachable } from '../branch/ensure-commits.ts'
import { ownSignature, signatureOf } from './commit-signature.ts'
import type { FileCommit } from './file-commit.ts'

const attempts = 5

/** Advice for a change to a branch that Wadi may not write. */
export const pullRequestAdvice = 'print the change with --print and open a pull request'

/** The result of writing a few files. */
export interface WrittenFiles {
  /** The branch's head now. */
  sha: string
  /** The files that the commit changed; none when every file was as wanted and so there is no commit. */
  changedPaths: string[]
}

/**
 * Commits a few files onto a branch's head and pushes, never forced. A head that moved is built upon as long as these
 * files are at it what they are at the base. Written files get mode 100644. A new branch gets the commit in place of the one
 * that it is built on.
 * @throws NotFoundError without the branch, AlreadyExistsError for a new branch that is there, ConflictError when somebody else changed one of the files,
 * FailedPreconditionError for a hydrated or protected branch or a path that holds no plain file, UnavailableError when
 * the branch moves faster than pushes succeed
 */
export async function writeFiles(
  mirror: Mirror,
  trees: TreeCache,
  commit: FileCommit,
  signal: AbortSignal,
): Promise<WrittenFiles> {
  const { branch, message } = commit
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const head = await fetchHead(mirror, commit, signal)
    const changes = await planFiles(mirror, trees, commit, head)
    if (changes.length === 0) return { sha: head, changedPaths: [] }
    const author = signatureOf(commit)
    const committer = ownSignature()
    const sha = await buildCommit(mirror, { parent: head, message, author, committer, changes, signal })
    if (await hasLanded(mirror, commit, { from: head, to: sha }, signal)) {
      return { sha, changedPaths: changes.map(({ path }) => path) }
    }
    await delay(Math.random() * 40 * attempt, undefined, { signal })
  }
  throw new UnavailableError(
    `branch ${branch} moved ${attempts} times while this commit was pushed; try again`,
  )
}

/** The branch's head now, with its files and those of the base in the mirror. */
async function fetchHead(
  mirror: Mirror,
  { branch, newBranch, baseSha }: FileCommit,
  signal: AbortSignal,
): Promise<string> {
  const ref = `refs/heads/${branch}`
  const { refs } = await mirror.listRemote(signal)
  if (newBranch !== '' && refs.has(`refs/heads/${newBranch}`)) {
    throw new AlreadyExistsError(
      `branch ${newBranch} already exists in ${redactUrl(mirror.url)}; choose another name`,
    )
  }
  const head = refs.get(ref)
  if (head === undefined) {
    throw new NotFoundError(`branch ${branch} does not exist in ${redactUrl(mirror.url)}; push it first`)
  }
  if (!(await mirror.hasObject(head))) await mirror.fetch([`+${ref}:${mirrorRef(ref)}`], signal)
  if (!(await isReachable(mirror, baseSha, [head], signal))) {
    throw new ConflictError(
      `branch ${branch} has no commit ${baseSha.slice(0, 7)} any more; read the files again and repeat the change`,
    )
  }
  return head
}

/** The changes that make every file of the head as wanted. */
async function planFiles(
  mirror: Mirror,
  trees: TreeCache,
  { branch, baseSha, files }: FileCommit,
  headSha: string,
): Promise<FileCommit['files']> {
  const head = await openCommitTree(mirror.objects, trees, headSha)
  if (await head.entry(hydratedFiles.metadata)) {
    throw new FailedPreconditionError(
      `branch ${branch} is a hydrated branch: its root has ${hydratedFiles.metadata}; change the dry branch instead`,
    )
  }
  const base = await openCommitTree(mirror.objects, trees, baseSha)
  const changes: FileCommit['files'] = []
  for (const { path, content } of files) {
    const now = await fileId(head, path, branch)
    const wanted = content && objectId('blob', content)
    if (now === wanted) continue
    if ((await base.entry(path))?.id !== now) {
      throw new ConflictError(
        `${path} of branch ${branch} was changed after ${baseSha.slice(0, 7)}; read it again and repeat the change`,
      )
    }
    changes.push({ path, content })
  }
  return changes
}

/** The id of the plain file at a path; undefined when there is nothing, and nothing in the way. */
async function fileId(tree: CommitTree, path: string, branch: string): Promise<string | undefined> {
  const parts = path.split('/')
  for (let length = 1; length < parts.length; length++) {
    const parent = parts.slice(0, length).join('/')
    const entry = await tree.entry(parent)
    if (!entry) return undefined
    // To write below a symlink would put a directory in its place.
    if (entry.kind !== 'directory') throw occupied(parent, entry.kind, 'directory', branch)
  }
  const entry = await tree.entry(path)
  if (!entry) return undefined
  if (entry.kind !== 'file' && entry.kind !== 'executable') throw occupied(path, entry.kind, 'file', branch)
  return entry.id
}

function occupied(path: string, kind: string, wanted: string, branch: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `${path} of branch ${branch} is a ${kind} where a ${wanted} must be; remove it first`,
  )
}

/** Pushes a commit; false when somebody else was faster. */
async function hasLanded(
  mirror: Mirror,
  { branch, newBranch }: FileCommit,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<boolean> {
  const ref = `refs/heads/${newBranch || branch}`
  const expected = newBranch === '' ? from : undefined
  try {
    await pushRefs(mirror, [{ source: to, ref, expected }], { atomic: false, signal })
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    if (!(error instanceof FailedPreconditionError)) throw error
    throw new FailedPreconditionError(`${error.message}; or ${pullRequestAdvice}`, { cause: error })
  }
}
