import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { readCommitterDate } from './commit-metadata.ts'
import type { BuiltPack } from './built-pack.ts'
import { CommitContent } from './commit-contents.ts'
import { blobMark, dataCommand, importCommits, person } from './fast-import.ts'
import type { CommitRef, Content, Signature } from './fast-import.ts'
import type { SignCommit } from './signed-commits.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { assertCommitSha } from '../mirror/revision.ts'
import { noteCommands } from './note-commands.ts'
import { openCommitTree, TreeCache } from '../objects/commit-tree.ts'
import { assertTreePath } from '../objects/tree-path.ts'

/** One path of a new commit; undefined content deletes it, with everything below. */
export type FileChange = { path: string; content: Content | undefined }

/** The parts of a new commit. */
type CommitPlan = {
  /** The commit whose files it starts from; without one it is the root of a history. */
  parent?: CommitRef | undefined
  /** As it shall be; nothing is cleaned up. */
  message: string
  author: Signature
  /** Its date becomes that of the parent when it is earlier. */
  committer: Signature
  /** Files are written with mode 100644. A path may occur once. */
  changes: FileChange[]
}

/** A plan that has been checked. */
export type CheckedCommit = Readonly<CommitPlan> & { readonly checked: true }

/** Notes to be put on commits, each in place of all that its commit may have, wherever they lie. */
type NotesPlan = {
  /** The newest commit of the notes, or nothing if there is none yet. */
  parent?: string | undefined
  /** Kept trees of notes; each call reads its own without them. */
  trees?: TreeCache
  /** A newline is added at the end of a content where there is none, as git does. */
  notes: readonly { target: CommitRef; content: string }[]
  /** Files beside the notes, at paths that git takes for none. */
  files?: readonly FileChange[]
  author: Signature
}

/**
 * Checks a plan, so that a wrong one does not spoil those that are built together with it.
 * @throws InvalidInputError for an empty message, a wrong signature, a path that must not be committed, or two changes in conflict
 */
export function checkedCommit(plan: CommitPlan): CheckedCommit {
  const { parent, message, author, committer, changes } = plan
  if (typeof parent === 'string') assertCommitSha(parent)
  if (message.trim() === '' || message.includes('\0')) {
    throw new InvalidInputError('a commit needs a message without NUL')
  }
  for (const each of [author, committer]) person(each)
  checkChanges(changes)
  return { ...plan, checked: true }
}

/**
 * Makes commits and one commit of notes on them in the mirror with one process, without a working copy and without
 * touching a ref. A parent or target that is a number is the commit of that place in `commits`; a parent comes before its children.
 * With `sign`, every commit is signed, that of the notes too.
 * @returns the SHAs of the commits, that of the notes when there is a plan for them, and the pack that holds all their objects, if there is one: contents that were stored before are in others
 */
export async function buildCommits(
  mirror: Mirror,
  commits: readonly CheckedCommit[],
  notes: NotesPlan | undefined,
  { sign, signal }: { sign?: SignCommit | undefined; signal?: AbortSignal } = {},
): Promise<{ commits: string[]; notes: string | undefined; pack: BuiltPack | undefined }> {
  const imported = []
  for (const { parent, message, author, committer, changes } of commits) {
    const earliest = await dateOf(mirror, parent, imported)
    const dated = earliest && committer.date < earliest ? { ...committer, date: earliest } : committer
    imported.push({ parent, message, author, committer: dated, commands: fileCommands(changes) })
  }
  const { shas, pack } = await importCommits(
    mirror,
    { commits: imported, sign, ...(notes && importedNotes(mirror, notes, imported.length)) },
    signal,
  )
  const hasStored = commits.some(({ changes }) => changes.some(({ content }) => isStored(content)))
  return {
    commits: shas.slice(0, commits.length),
    notes: shas[commits.length],
    pack: hasStored ? undefined : pack,
  }
}

/** Makes one commit in the mirror as `buildCommits` does, and returns its SHA. */
export async function buildCommit(
  mirror: Mirror,
  { signal, ...plan }: CommitPlan & { signal?: AbortSignal | undefined },
): Promise<string> {
  const { commits } = await buildCommits(mirror, [checkedCommit(plan)], undefined, signal && { signal })
  const [sha = ''] = commits
  return sha
}

/** Returns the date of a commit, never before its parent's, even if clocks differ or jump back: tools that sort by date rely on it. */
async function dateOf(
  mirror: Mirror,
  parent: CommitRef | undefined,
  earlier: readonly { committer: Signature }[],
): Promise<Date | undefined> {
  if (typeof parent !== 'string') return parent === undefined ? undefined : earlier[parent]?.committer.date
  return readCommitterDate(mirror.objects, parent).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error
    throw new CorruptMirrorError(`the copy of the repository on disk lacks object ${parent}`, {
      cause: error,
    })
  })
}

/** Returns the commands for the commit of notes, and their contents; those of the branches of one dry commit are mostly equal. */
function importedNotes(
  { objects }: Mirror,
  { parent, trees = new TreeCache(), notes, files = [], author }: NotesPlan,
  commits: number,
): Pick<Parameters<typeof importCommits>[1], 'last' | 'blobs'> {
  if (parent !== undefined) assertCommitSha(parent)
  const texts = notes.map(({ content }) => (content.endsWith('\n') ? content : `${content}\n`))
  const blobs = [...new Set(texts)]
  const message = `Notes added by 'git notes add'\n`
  const last = async (shas: readonly string[]) => {
    const tree = parent === undefined ? undefined : await openCommitTree(objects, trees, parent)
    const written = notes.map(({ target }, index) => ({
      target: typeof target === 'string' ? target : (shas[target] ?? ''),
      blob: blobMark(blobs.indexOf(texts[index] ?? ''), commits),
    }))
    const commands = [...(await noteCommands(tree, written)), ...fileCommands(files)]
    return { parent, message, author, committer: author, commands }
  }
  return { last, blobs }
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

/** Deletions come first, so that a deleted directory can become a file, or be filled again. */
function* fileCommands(changes: readonly FileChange[]): Generator<Buffer> {
  for (const { path, content } of changes) {
    if (content === undefined) yield Buffer.from(`D ${quotePath(path)}\n`)
  }
  for (const { path, content } of changes) {
    if (content === undefined) continue
    if (isStored(content)) {
      yield Buffer.from(`M 100644 ${content.id} ${quotePath(path)}\n`)
      continue
    }
    yield Buffer.from(`M 100644 inline ${quotePath(path)}\n`)
    yield dataCommand(content)
  }
}

function isStored(content: Content | undefined): content is CommitContent {
  return content instanceof CommitContent && content.isStored
}

function quotePath(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
}
