import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { leftOutPaths } from '@wadi/plugins/left-out-paths.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { SharedWork } from '@wadi/concurrency/shared-work.ts'
import { checkLinks } from './archive-links.ts'
import { type PackedDirectory, endOfArchive, packDirectory, tooManyBytes } from './pack-directory.ts'
import { type SelectedDirectory, selectedDirectories } from './selected-directories.ts'

/** A gzipped tar archive in parts, which stay as they are. */
export interface Archive {
  /** Equal for equal inputs. */
  readonly inputs: string
  readonly parts: readonly Buffer[]
  /** Compressed bytes of all parts. */
  readonly size: number
  /** SHA-256 of all parts in lower-case hex. */
  readonly checksum: string
  /** Symlinks that are left out, with what is wrong with each. */
  readonly leftOut: ReadonlyMap<string, string>
}

/** Bounds of an archive and of the memory for packed directories. */
export interface ArchiveBounds {
  readonly archiveEntries: number
  /** Before compression. */
  readonly archiveBytes: number
  readonly cacheBytes: number
}

/** The amount packed since the start. */
export interface PackingCounts {
  /** Archives that were put together. */
  archivesBuilt: number
  /** Bytes that were compressed for them, counted before compression. */
  bytesPacked: number
}

/** The options of an archive. */
interface PackingRequest {
  readonly signal?: AbortSignal | undefined
  /** True if the receiver accepts symlinks that lead to the root itself, as Argo CD's cmp-server does not; default: true. */
  readonly takesRootLinks?: boolean
  /** Patterns of paths that are not in it; default: none. */
  readonly leftOut?: readonly string[]
}

const leadsToRoot = "leads to the root of the repository, which the plugin's server refuses"

// Enough to keep git busy while others are compressed.
const maxDirectoriesAtOnce = 4
const hashedAtOnce = 4 * 1024 ** 2

/**
 * Packs the files of plugin calls. An archive consists of one gzip member for each directory, and members are kept: a
 * later commit packs only the directories that changed, and other inputs of the same tree are only put together again.
 */
export class ArchivePacker {
  readonly #bounds: ArchiveBounds
  readonly #counts: PackingCounts
  readonly #directories: LRUCache<string, PackedDirectory>
  readonly #archives: LRUCache<string, Archive>
  readonly #building = new SharedWork<Archive>('the call')
  readonly #largeFiles = pLimit(1)
  readonly #packing = new SharedWork<PackedDirectory>('the call')

  constructor(bounds: ArchiveBounds, counts: PackingCounts) {
    this.#bounds = bounds
    this.#counts = counts
    // What weighs more than the whole cache fills it: the newest archive stays, as several calls need it.
    this.#directories = new LRUCache({
      maxSize: bounds.cacheBytes,
      sizeCalculation: ({ bytes }) => Math.min(bytes.length, bounds.cacheBytes),
    })
    this.#archives = new LRUCache({
      maxSize: bounds.cacheBytes,
      sizeCalculation: ({ size }) => Math.min(size, bounds.cacheBytes),
    })
  }

  /**
   * The archive of some files and directories of a tree; callers that want the same share the work.
   * Symlinks that lead out or in a circle are left out.
   * @throws InvalidInputError when there is no file, ResourceExhaustedError above a bound
   */
  async archive(
    tree: FileTree,
    inputs: readonly string[],
    { signal, takesRootLinks = true, leftOut = [] }: PackingRequest = {},
  ): Promise<Archive> {
    const without = [...(takesRootLinks ? [] : [' without links to the root']), ...leftOut]
    const identity = [await inputsIdentity(tree, inputs), ...without].join('\n')
    const kept = this.#archives.get(identity)
    if (kept !== undefined) return kept
    return this.#building.run(identity, signal, async (ended) => {
      const archive = await this.#build(tree, inputs, { identity, takesRootLinks, leftOut }, ended)
      this.#archives.set(identity, archive)
      return archive
    })
  }

  /** Forgets everything that was packed. */
  clear(): void {
    this.#directories.clear()
    this.#archives.clear()
  }

  async #build(
    tree: FileTree,
    inputs: readonly string[],
    {
      identity,
      takesRootLinks,
      leftOut: patterns,
    }: { identity: string; takesRootLinks: boolean; leftOut: readonly string[] },
    signal: AbortSignal,
  ): Promise<Archive> {
    const { archiveEntries } = this.#bounds
    const directories = await selectedDirectories(tree, inputs, archiveEntries, leftOutPaths(patterns))
    const whole = await this.#packed(tree, directories, signal)
    const { toRoot, unfit } = checkLinks(new Map(whole.flatMap(({ links }) => links)))
    const refused = takesRootLinks ? [] : toRoot.map((link): [string, string] => [link, leadsToRoot])
    const leftOut = new Map([...unfit, ...refused])
    const packed =
      leftOut.size === 0 ? whole : await this.#packed(tree, withoutLinks(directories, leftOut), signal)
    if (packed.every(({ files }) => files === 0)) {
      throw new InvalidInputError(
        `no files to send (${inputs
          .slice(0, 5)
          .map((path) => path || '.')
          .join(', ')})`,
      )
    }
    const parts = [...packed.map(({ bytes }) => bytes), endOfArchive]
    const size = parts.reduce((sum, { length }) => sum + length, 0)
    const checksum = await checksumOf(parts, signal)
    this.#counts.archivesBuilt += 1
    return { inputs: identity, parts, size, checksum, leftOut }
  }

  async #packed(
    tree: FileTree,
    directories: readonly SelectedDirectory[],
    signal: AbortSignal,
  ): Promise<PackedDirectory[]> {
    const { archiveBytes } = this.#bounds
    let unpackedBytes = 0
    return mapWithLimit(directories, maxDirectoriesAtOnce, async (directory) => {
      signal.throwIfAborted()
      const packed = await this.#directory(tree, directory, signal)
      unpackedBytes += packed.unpackedBytes
      if (unpackedBytes > archiveBytes) throw tooManyBytes(archiveBytes, directory.path)
      return packed
    })
  }

  async #directory(
    tree: FileTree,
    directory: SelectedDirectory,
    signal: AbortSignal,
  ): Promise<PackedDirectory> {
    const key = digest([directory.path, directory.entries.map(({ name, kind, id }) => [name, kind, id])])
    const kept = this.#directories.get(key)
    if (kept !== undefined) return kept
    return this.#packing.run(key, signal, async (ended) => {
      const packed = await packDirectory(tree, directory, {
        maxBytes: this.#bounds.archiveBytes,
        largeFiles: this.#largeFiles,
        signal: ended,
      })
      this.#counts.bytesPacked += packed.unpackedBytes
      this.#directories.set(key, packed)
      return packed
    })
  }
}

function withoutLinks(
  directories: readonly SelectedDirectory[],
  links: ReadonlyMap<string, string>,
): SelectedDirectory[] {
  return directories.map(({ path, entries }) => ({
    path,
    entries: entries.filter(({ name }) => !links.has(childPath(path, name))),
  }))
}

async function inputsIdentity(tree: FileTree, inputs: readonly string[]): Promise<string> {
  const entries = await Promise.all(inputs.map((input) => tree.entry(input)))
  return digest(inputs.map((input, index) => [input, entries[index]?.kind, entries[index]?.id]))
}

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64')
}

async function checksumOf(parts: readonly Buffer[], signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  let sinceTurn = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += hashedAtOnce) {
      const slice = part.subarray(at, at + hashedAtOnce)
      hash.update(slice)
      sinceTurn += slice.length
      if (sinceTurn < hashedAtOnce) continue
      sinceTurn = 0
      await nextTurn(undefined, { signal })
    }
  }
  return hash.digest('hex')
}
