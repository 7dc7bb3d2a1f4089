import { CorruptMirrorError } from '../process/git-failure.ts'

/** One name in a tree. */
export type TreeEntry = {
  readonly name: string
  /** Six octal digits, for example `100644`. */
  readonly mode: string
  /** Name of the object: equal ids, equal content. */
  readonly id: string
  readonly kind: 'file' | 'executable' | 'symlink' | 'directory' | 'submodule'
}

const space = 0x20

/**
 * The number of names that are searched in the bytes before all entries are read. A search costs about a fiftieth of
 * reading all entries, so a tree that is asked often gets them all, and one that is asked a few times, as the root of a
 * large branch for one changed directory, never pays for the others.
 */
const maxSearches = 32

/** Names that are not the bytes of one entry: NUL ends a name, and U+FFFD stands for bytes that are not UTF-8. */
const otherBytes = /[\0\uFFFD]/

/** A tree object of which no entries have been made, and where each of them begins. */
type RawTree = { bytes: Buffer; starts: readonly number[]; idBytes: number }

/** The entries of one tree object, which are made when enough of them are asked for. */
export class TreeEntries {
  readonly size: number
  #searches = 0
  #entries: RawTree | ReadonlyMap<string, TreeEntry>

  /**
   * @param bytes the content of the object, which is kept
   * @param idBytes the length of an object's name: 20, or 32 in a repository of SHA-256
   * @throws CorruptMirrorError for one that is cut short
   */
  constructor(bytes: Buffer, idBytes: number) {
    const raw = { bytes, starts: startsOf(bytes, idBytes), idBytes }
    this.size = raw.starts.length
    this.#entries = this.size > maxSearches ? raw : madeEntries(raw)
  }

  get(name: string): TreeEntry | undefined {
    const entries = this.#entries
    if (!('bytes' in entries) || this.#searches >= maxSearches || otherBytes.test(name)) {
      return this.#made().get(name)
    }
    this.#searches += 1
    return search(entries, Buffer.from(name))
  }

  /** All of them, in git's order. */
  list(): TreeEntry[] {
    return [...this.#made().values()]
  }

  #made(): ReadonlyMap<string, TreeEntry> {
    const entries = this.#entries
    const made = 'bytes' in entries ? madeEntries(entries) : entries
    this.#entries = made
    return made
  }
}

function madeEntries(raw: RawTree): ReadonlyMap<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>()
  for (const start of raw.starts) {
    const entry = entryFrom(raw, start)
    entries.set(entry.name, entry)
  }
  return entries
}

function search(raw: RawTree, name: Buffer): TreeEntry | undefined {
  const { bytes, starts } = raw
  // From the end, as the last of equal names counts where a damaged tree has several.
  for (let index = starts.length - 1; index >= 0; index -= 1) {
    const start = starts[index] ?? 0
    let at = start
    while (bytes[at] !== space) at += 1
    let matched = 0
    while (matched < name.length && bytes[at + 1 + matched] === name[matched]) matched += 1
    if (matched === name.length && bytes[at + 1 + matched] === 0) return entryFrom(raw, start)
  }
  return undefined
}

function entryFrom({ bytes, idBytes }: RawTree, start: number): TreeEntry {
  const afterMode = bytes.indexOf(space, start)
  const end = bytes.indexOf(0, afterMode)
  const mode = modeOf(bytes.toString('latin1', start, afterMode).padStart(6, '0'))
  return {
    name: bytes.toString('utf8', afterMode + 1, end),
    mode,
    id: bytes.toString('hex', end + 1, end + 1 + idBytes),
    kind: kindOf(mode),
  }
}

function startsOf(bytes: Buffer, idBytes: number): number[] {
  const starts: number[] = []
  for (let position = 0; position < bytes.length;) {
    starts.push(position)
    const afterMode = bytes.indexOf(space, position)
    const end = bytes.indexOf(0, afterMode)
    if (afterMode < 0 || end < 0 || end + idBytes >= bytes.length) {
      throw new CorruptMirrorError('a tree object is cut short')
    }
    position = end + 1 + idBytes
  }
  return starts
}

const usualModes = ['100644', '040000', '100755', '120000', '160000']

/** The one string of a usual mode: a cache keeps a million entries. */
function modeOf(text: string): string {
  return usualModes.find((mode) => mode === text) ?? text
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '040000') return 'directory'
  if (mode === '120000') return 'symlink'
  if (mode === '160000') return 'submodule'
  return mode === '100755' ? 'executable' : 'file'
}
