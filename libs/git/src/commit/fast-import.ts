import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { Replies } from '../process/replies.ts'
import type { GitResult } from '../process/run-git.ts'
import { isCommitSha } from '../mirror/revision.ts'
import { type BuiltPack, builtPack } from './built-pack.ts'
import { CommitContent } from './commit-contents.ts'
import type { SignCommit } from './signed-commits.ts'

/** The author or committer, and the time to the second, in UTC. */
export type Signature = { name: string; email: string; date: Date }

/** The content of a file or note. */
export type Content = Buffer | string | CommitContent

/** A commit by its SHA, or by its place among the commits that are written together with it, from 0. */
export type CommitRef = string | number

/** A commit for fast-import; `commands` are its lines that change files or notes. */
type ImportedCommit = {
  parent: CommitRef | undefined
  message: string
  author: Signature
  committer: Signature
  commands: Iterable<Buffer>
}

const writeSize = 256 * 1024

/** Nothing, before which all is written: what comes next waits for an answer. */
const sendNow = Buffer.alloc(0)

/** The lightest compression: git's usual one makes a list of thousands of directories 5 % smaller, as half of it is hashes, and a commit a quarter slower. */
const lightCompression: [string, string][] = [['pack.compression', '1']]

/** The commits, files and notes that are written together. */
type Imported = {
  commits: readonly ImportedCommit[]
  /** Makes one more commit once it is known what these are called; it names contents by their place in `blobs`. */
  last?: ((shas: readonly string[]) => Promise<ImportedCommit>) | undefined
  /** Contents that the last commit names by `blobMark`, so that none of them is written twice. */
  blobs?: readonly string[]
  /** Signs every commit; undefined for none. */
  sign?: SignCommit | undefined
}

/** One import that is under way: the commits whose commands were written, and the ids of those that are signed. */
type Importing = {
  mirror: Mirror
  replies: Replies
  made: ImportedCommit[]
  signed: string[]
  signal: AbortSignal | undefined
}

/**
 * Writes commits and their objects with one `git fast-import` and returns their names, and the pack that holds all these objects, unless
 * commits are signed: then the signed ones lie beside it. No ref outlives the call: fast-import gets a command to forget the branch that it
 * needs before it would write it.
 */
export async function importCommits(
  mirror: Mirror,
  imported: Imported,
  signal?: AbortSignal,
): Promise<{ shas: string[]; pack: BuiltPack | undefined }> {
  const name = randomUUID()
  const edges = path.join('objects', 'pack', `tmp_edges_${name}`)
  const made: ImportedCommit[] = []
  const signed: string[] = []
  const { stdout, stderr } = await fastImport(
    mirror,
    ['--stats', `--export-pack-edges=${edges}`, '--date-format=raw', '--force'],
    (replies) => stream(`refs/wadi/building/${name}`, imported, { mirror, replies, made, signed, signal }),
    { signal, config: lightCompression },
  )
  const shas = imported.sign ? signed : stdout.toString().trim().split('\n')
  if (shas.length !== made.length || !shas.every(isCommitSha)) {
    throw new CorruptMirrorError('git fast-import did not report every commit')
  }
  const parents = made.flatMap(({ parent }) => (typeof parent === 'string' ? [parent] : []))
  const pack = await builtPack(mirror.directory, { edges, statistics: stderr, commits: shas, parents })
  return { shas, pack: imported.sign ? undefined : pack }
}

/** Stores contents before there is a commit of them, which then names their blobs. */
export async function storeContents(
  mirror: Mirror,
  contents: readonly CommitContent[],
  signal?: AbortSignal,
): Promise<void> {
  // Files that follow one another are of different kinds, so that to look for what they share takes a third of the time for nothing.
  await fastImport(mirror, ['--quiet', '--depth=0'], () => blobCommands(contents), { signal })
  for (const content of contents) content.stored()
}

async function fastImport(
  mirror: Mirror,
  options: readonly string[],
  commands: (replies: Replies) => Iterable<Buffer> | AsyncIterable<Buffer>,
  how: { signal: AbortSignal | undefined; config?: [string, string][] },
): Promise<GitResult> {
  try {
    const input = (replies: Replies): AsyncGenerator<Buffer> => batches(commands(replies))
    const args = ['fast-import', ...options, '--done']
    const result = await mirror.raw(args, { ...how, input, timeoutMs: 10 * 60_000 })
    mirror.countWrite()
    return result
  } catch (error) {
    await removeCrashReports(mirror.directory)
    throw error
  }
}

function* blobCommands(contents: readonly CommitContent[]): Generator<Buffer> {
  for (const content of contents) {
    yield Buffer.from('blob\n')
    yield dataCommand(content)
  }
  yield Buffer.from('done\n')
}

/** The commands of all commits; each commit is put into `made` as its commands come. */
async function* stream(
  branch: string,
  { commits, last, blobs = [], sign }: Imported,
  importing: Importing,
): AsyncGenerator<Buffer> {
  const { made } = importing
  for (const [index, blob] of blobs.entries()) {
    yield Buffer.from(`blob\nmark ${blobMark(index, commits.length)}\n`)
    yield dataCommand(blob)
  }
  for (const commit of commits) yield* commitCommands(branch, commit, commitish(made.push(commit) - 1))
  const marks = Array.from(commits, (_, index) => commitish(index))
  const shas = yield* names(marks, { isAwaited: last !== undefined, sign }, importing)
  if (last && shas) {
    const commit = await last(shas)
    made.push(commit)
    const mark = commitish(commits.length + blobs.length)
    yield* commitCommands(branch, commit, mark)
    yield* names([mark], { isAwaited: false, sign }, importing)
  }
  const known = made.find(({ parent }) => typeof parent === 'string')?.parent
  const nobody = '0'.repeat(typeof known === 'string' ? known.length : 40)
  yield Buffer.from(`reset ${branch}\nfrom ${nobody}\n\ndone\n`)
}

/**
 * Asks for the ids of the newest commits of `made`, and signs them.
 * @returns the ids if they are awaited or signed; undefined if they are not, or fast-import ended
 */
async function* names(
  marks: readonly string[],
  { isAwaited, sign }: { isAwaited: boolean; sign: SignCommit | undefined },
  { mirror, replies, made, signed, signal }: Importing,
): AsyncGenerator<Buffer, string[] | undefined> {
  for (const mark of marks) yield Buffer.from(`get-mark ${mark}\n`)
  if (!sign && !isAwaited) return undefined
  if (sign) for (const mark of marks) yield Buffer.from(`ls ${mark} ""\n`)
  yield sendNow
  const shas = await replies.take(marks.length)
  const trees = sign ? await replies.take(marks.length) : shas
  if (trees.length < marks.length) return undefined
  if (!sign) return shas
  const { signCommits } = await import('./signed-commits.ts')
  const commits = made.slice(-marks.length).map((commit, index) => ({
    ...commit,
    author: person(commit.author),
    committer: person(commit.committer),
    sha: shas[index] ?? '',
    // The answer of ls is "040000 tree <id>\t".
    tree: trees[index]?.split(/[ \t]/)[2] ?? '',
  }))
  const ids = await signCommits(mirror.directory, commits, sign, signal)
  signed.push(...ids)
  return ids
}

function* commitCommands(
  branch: string,
  { parent, message, author, committer, commands }: ImportedCommit,
  mark: string,
): Generator<Buffer> {
  // Without a parent fast-import would continue the branch.
  if (parent === undefined) yield Buffer.from(`reset ${branch}\n\n`)
  yield Buffer.from(`commit ${branch}\nmark ${mark}\n`)
  yield Buffer.from(`author ${person(author)}\ncommitter ${person(committer)}\n`)
  yield dataCommand(message)
  if (parent !== undefined) yield Buffer.from(`from ${commitish(parent)}\n`)
  yield* commands
  yield Buffer.from('\n')
}

/** A commit as the commands of fast-import name it. */
function commitish(commit: CommitRef): string {
  return typeof commit === 'number' ? `:${commit + 1}` : commit
}

/** Returns the mark by which the last commit names one of the contents written with it and `commits` others. */
export function blobMark(index: number, commits: number): string {
  return `:${commits + index + 1}`
}

/** The `data` command of fast-import, with the length that makes any content safe. */
export function dataCommand(content: Content): Buffer {
  const bytes = content instanceof CommitContent ? content.bytes() : Buffer.from(content)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

/** Joins small pieces, because a write costs more than a copy. */
async function* batches(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let batch: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    batch.push(chunk)
    size += chunk.length
    if (size < writeSize && chunk !== sendNow) continue
    yield Buffer.concat(batch)
    batch = []
    size = 0
  }
  yield Buffer.concat(batch)
}

/**
 * A signature as commits have it.
 * @throws InvalidInputError for a name or address that would be read as something else, and a time before 1970
 */
export function person({ name, email, date }: Signature): string {
  if (/[<>\p{Cc}]/u.test(name + email)) {
    throw new InvalidInputError(`${JSON.stringify(`${name} ${email}`)} cannot be the author of a commit`)
  }
  const seconds = Math.floor(date.getTime() / 1000)
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new InvalidInputError('the date of a commit must be a time after 1970')
  }
  return `${name.trim()} <${email.trim()}> ${seconds} +0000`
}

/** fast-import leaves a report with the last commands in the repository when it fails. */
async function removeCrashReports(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith('fast_import_crash_')) await rm(path.join(directory, name), { force: true })
  }
}
