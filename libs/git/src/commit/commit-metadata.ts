import { CorruptMirrorError } from '../process/git-failure.ts'
import { parseReferences } from './commit-references.ts'
import type { CommitReference } from './commit-references.ts'
import type { ObjectReader } from '../objects/object-reader.ts'

/** The facts of a dry commit that hydrated files and messages show. */
export type CommitMetadata = {
  sha: string
  /** `Name <email>` as in the commit, control characters as blanks. */
  author: string
  /** When the author wrote it: RFC 3339 in UTC, to the second. */
  date: string
  /** When it was committed, in the same form. */
  committerDate: string
  /** The message, its lines ended by line feeds, up to the first empty line; may span lines. */
  subject: string
  /** The rest without valid `Argocd-reference-commit-*` trailers; empty, or every line ends with a newline. */
  body: string
  parents: string[]
  references: CommitReference[]
}

const maxCommitBytes = 4 * 1024 * 1024

/**
 * Reads what a commit says of itself, by the rules of Argo CD's hydrator.
 * @throws NotFoundError if there is no such commit, ResourceExhaustedError for one of more than 4 MiB
 */
export async function readCommitMetadata(objects: ObjectReader, sha: string): Promise<CommitMetadata> {
  const bytes = await readCommit(objects, sha)
  const end = bytes.indexOf('\n\n')
  const head = bytes.subarray(0, end < 0 ? bytes.length : end)
  const encoding = /^encoding (\S+)$/m.exec(head.toString('latin1'))?.[1] ?? 'utf-8'
  const headers = decode(head, encoding).split('\n')
  const message = decode(end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 2), encoding)
    .replaceAll('\r\n', '\n')
    .trim()
  const [subject, body] = splitOnce(message, '\n\n')
  const { references, remainder } = await parseReferences(message, body)
  const author = parseIdentity(headers, 'author')
  return {
    sha,
    author: author.person,
    date: author.date,
    committerDate: parseIdentity(headers, 'committer').date,
    subject,
    body: remainder,
    parents: headers.flatMap((line) => (line.startsWith('parent ') ? [line.slice('parent '.length)] : [])),
    references,
  }
}

/** When a commit was committed; reads less of it than `readCommitMetadata`, and throws the same. */
export async function readCommitterDate(objects: ObjectReader, sha: string): Promise<Date> {
  const bytes = await readCommit(objects, sha)
  const headers = bytes.toString('latin1').split('\n\n', 1).join('').split('\n')
  return new Date(parseIdentity(headers, 'committer').date)
}

async function readCommit(objects: ObjectReader, sha: string): Promise<Buffer> {
  const { type, bytes } = await objects.read(sha, maxCommitBytes)
  if (type !== 'commit') throw new CorruptMirrorError(`object ${sha} is a ${type} where a commit must be`)
  return bytes
}

/** git names the encoding of a message that is not UTF-8; an unknown name is read as UTF-8. */
function decode(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return bytes.toString('utf8')
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + separator.length)]
}

function parseIdentity(headers: string[], kind: 'author' | 'committer'): { person: string; date: string } {
  const line = headers.find((header) => header.startsWith(`${kind} `)) ?? ''
  const match = /^\w+ (.*>) (-?\d{1,12}) [+-]\d{4}$/s.exec(line)
  const time = new Date(Number(match?.[2] ?? 0) * 1000)
  const person = match?.[1] ?? line.slice(kind.length + 1)
  // A carriage return in a name would begin a line for many readers.
  return {
    person: person.replaceAll(/\p{Cc}+/gu, ' ').trimStart(),
    date: time.toISOString().replace('.000Z', 'Z'),
  }
}
