import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCommitterDate } from './commit-metadata.ts'
import { dataCommand, importCommit } from './fast-import.ts'
import type { Signature } from './fast-import.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { assertCommitSha, assertRefName } from '../mirror/revision.ts'
import { assertTreePath } from '../objects/tree-path.ts'

const maxNoteBytes = 1024 * 1024

/** One path of a new commit; undefined content deletes it, with everything below. */
type FileChange = { path: string; content: Buffer | string | undefined }

/** What a new commit is made of. */
type CommitPlan = {
  /** The commit whose files it starts from; without one it is the root of a history. */
  parent?: string | undefined
  /** As it shall be; nothing is cleaned up. */
  message: string
  author: Signature
  /** Its date becomes that of the parent when it is earlier. */
  committer: Signature
  /** Files are written with mode 100644. A path may occur once. */
  changes: FileChange[]
  signal?: AbortSignal | undefined
}

/**
 * Makes a commit in the mirror without a working copy and without touching a ref, and returns its SHA.
 * @throws InvalidInputError for an empty message, a path that must not be committed, or two changes in conflict
 */
export async function buildCommit(mirror: Mirror, plan: CommitPlan): Promise<string> {
  const { parent, message, author, committer, changes, signal } = plan
  if (parent !== undefined) assertCommitSha(parent)
  if (message.trim() === '' || message.includes('\0')) {
    throw new InvalidInputError('a commit needs a message without NUL')
  }
  checkChanges(changes)
  const commands = fileCommands(changes)
  const dated = parent === undefined ? committer : await notBefore(mirror, parent, committer)
  return importCommit(mirror, { parent, message, author, committer: dated, commands }, signal)
}

/** Where clocks differ or jump back, a commit is still not committed before its parent: tools that sort by date rely on it. */
async function notBefore(mirror: Mirror, parent: string, committer: Signature): Promise<Signature> {
  const earliest = await readCommitterDate(mirror.objects, parent).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error
    throw new CorruptMirrorError(`the copy of the repository on disk lacks object ${parent}`, {
      cause: error,
    })
  })
  return committer.date < earliest ? { ...committer, date: earliest } : committer
}

function checkChanges(changes: FileChange[]): void {
  const paths = new Set<string>()
  for (const change of changes) {
    assertTreePath(change.path)
    if (paths.has(change.path)) throw conflict(change.path, change.path)
    paths.add(change.path)
  }
  const written = new Set(changes.flatMap(({ path, content }) => (content === undefined ? [] : [path])))
  for (const path of written) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash)
      if (written.has(parent)) throw conflict(path, parent)
    }
  }
}

function conflict(path: string, other: string): InvalidInputError {
  return new InvalidInputError(`changes to ${JSON.stringify(path)} and ${JSON.stringify(other)} contradict`)
}

/** Deletions come first, so that a deleted directory can become a file, or be filled anew. */
function* fileCommands(changes: FileChange[]): Generator<Buffer> {
  for (const { path, content } of changes) {
    if (content === undefined) yield Buffer.from(`D ${quotePath(path)}\n`)
  }
  for (const { path, content } of changes) {
    if (content === undefined) continue
    yield Buffer.from(`M 100644 inline ${quotePath(path)}\n`)
    yield dataCommand(content)
  }
}

function quotePath(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
}

/** A note to be put on a commit, in place of the one that it may have. */
type NotePlan = {
  /** The ref under which the notes will be pushed, for example `refs/notes/hydrator.metadata`. */
  notesRef: string
  /** The head of that ref, or nothing if it does not exist yet. */
  currentNotesCommit?: string | undefined
  target: string
  /** A newline is added at the end where there is none, as git does. */
  content: string
  author: Signature
  signal?: AbortSignal | undefined
}

/** Makes a notes commit in the mirror without touching a ref, and returns its SHA: what `notesRef` shall become. */
export async function writeNote(mirror: Mirror, plan: NotePlan): Promise<string> {
  const { notesRef, currentNotesCommit, target, author, signal } = plan
  assertRefName(notesRef)
  assertCommitSha(target)
  if (currentNotesCommit !== undefined) assertCommitSha(currentNotesCommit)
  const content = plan.content.endsWith('\n') ? plan.content : `${plan.content}\n`
  const commands = [Buffer.from(`N inline ${target}\n`), dataCommand(content)]
  const message = `Notes added by 'git notes add'\n`
  const commit = { parent: currentNotesCommit, message, author, committer: author, commands }
  return importCommit(mirror, commit, signal)
}

/** Reads the note on a commit, or undefined if it has none. Starts no process. */
export async function readNote(
  mirror: Mirror,
  notesCommit: string,
  target: string,
): Promise<string | undefined> {
  assertCommitSha(notesCommit)
  assertCommitSha(target)
  // git spreads notes over one more level of two-digit directories each time there are 256 times as many.
  const paths = [0, 1, 2, 3].map((levels) => fanOut(target, levels))
  const found = await Promise.all(paths.map((path) => mirror.objects.resolve(`${notesCommit}:${path}`)))
  const oid = found.find((blob) => blob !== undefined)
  return oid === undefined ? undefined : (await mirror.objects.read(oid, maxNoteBytes)).bytes.toString()
}

function fanOut(sha: string, levels: number): string {
  const directories = Array.from({ length: levels }, (_, level) => sha.slice(level * 2, level * 2 + 2))
  return [...directories, sha.slice(levels * 2)].join('/')
}
