import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { isCommitSha } from '../mirror/revision.ts'

/** Who wrote or committed, and when; the time is kept to the second, in UTC. */
export type Signature = { name: string; email: string; date: Date }

/** A commit for fast-import; `commands` are its lines that change files or notes. */
type ImportedCommit = {
  parent: string | undefined
  message: string
  author: Signature
  committer: Signature
  commands: Iterable<Buffer>
}

const writeSize = 256 * 1024

/**
 * Writes one commit and its objects with `git fast-import` and returns its name. No ref outlives the call:
 * fast-import gets a command to forget the branch that it needs before it would write it.
 */
export async function importCommit(
  mirror: Mirror,
  commit: ImportedCommit,
  signal?: AbortSignal,
): Promise<string> {
  const branch = `refs/wadi/building/${randomUUID()}`
  try {
    const { stdout } = await mirror.raw(
      ['fast-import', '--quiet', '--done', '--date-format=raw', '--force'],
      { input: batches(stream(branch, commit)), signal, timeoutMs: 10 * 60_000 },
    )
    const sha = stdout.toString().trim()
    if (!isCommitSha(sha)) throw new CorruptMirrorError('git fast-import reported no commit')
    return sha
  } catch (error) {
    await removeCrashReports(mirror.directory)
    throw error
  }
}

function* stream(branch: string, commit: ImportedCommit): Generator<Buffer> {
  yield Buffer.from(`commit ${branch}\nmark :1\n`)
  yield Buffer.from(`author ${person(commit.author)}\ncommitter ${person(commit.committer)}\n`)
  yield dataCommand(commit.message)
  if (commit.parent !== undefined) yield Buffer.from(`from ${commit.parent}\n`)
  yield* commit.commands
  const nobody = '0'.repeat(commit.parent?.length ?? 40)
  yield Buffer.from(`\nget-mark :1\nreset ${branch}\nfrom ${nobody}\n\ndone\n`)
}

/** The `data` command of fast-import, with the length that makes any content safe. */
export function dataCommand(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

/** Joins small pieces, because a write costs more than a copy. */
async function* batches(source: Iterable<Buffer>): AsyncGenerator<Buffer> {
  let batch: Buffer[] = []
  let size = 0
  for (const chunk of source) {
    batch.push(chunk)
    size += chunk.length
    if (size < writeSize) continue
    yield Buffer.concat(batch)
    batch = []
    size = 0
  }
  yield Buffer.concat(batch)
}

function person({ name, email, date }: Signature): string {
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
