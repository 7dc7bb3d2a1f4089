import { LRUCache } from 'lru-cache'
import {
  InvalidInputError,
  NotFoundError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import type { GitObject, ObjectReader } from './object-reader.ts'
import { isCommitSha } from '../mirror/revision.ts'
import { TreeEntries, type TreeEntry } from './tree-entries.ts'

/**
 * The files of one commit. Paths are relative to the root, with `/`; `.` and empty components have no effect,
 * `..` exists nowhere, and symlinks are entries that are never followed.
 */
export type CommitTree = {
  readonly sha: string
  /** The entry at a path; the root itself for an empty path. */
  entry(path: string): Promise<TreeEntry | undefined>
  /**
   * The same without waiting: undefined if there is no such path, null if a tree on the way is not in the cache
   * (then `entry` loads it).
   */
  entryCached(path: string): TreeEntry | undefined | null
  /**
   * The entries of a directory in git's order.
   * @throws NotFoundError if there is no directory of that path
   */
  list(path: string): Promise<TreeEntry[]>
  /**
   * Returns the number of entries of a directory, which costs less than a list of them.
   * @throws NotFoundError if there is no directory of that path
   */
  size(path: string): Promise<number>
  /**
   * The content of a file, or the target of a symlink. The buffer is shared: do not write to it.
   * @throws NotFoundError, InvalidInputError for a directory or submodule, ResourceExhaustedError above `maxBytes`
   */
  read(file: string | TreeEntry, maxBytes: number): Promise<Buffer>
  /**
   * Fetches what is missing of files, and of all files in directories, at once; other paths have no effect.
   * @param maxFilesEach directories with more files are left out; all come by default
   * @throws UnavailableError with the cause if it cannot be had now
   */
  ready(paths: readonly string[], maxFilesEach?: number): Promise<void>
}

const maxTreeBytes = 64 * 1024 * 1024
/** The most files of a directory that are fetched when one of them is read. */
const maxBeside = 256

/**
 * Trees and recently read blobs by object name, for any number of commits and repositories.
 * Bounded: 1,000,000 tree entries and 16 MiB of blobs by default.
 */
export class TreeCache {
  readonly #trees: LRUCache<string, TreeEntries>
  readonly #blobs: LRUCache<string, Buffer>
  readonly #loading = new WeakMap<ObjectReader, Map<string, Promise<TreeEntries>>>()
  readonly #fetchesBeside: boolean

  /** @param options `fetchesBeside` is false where a file that is fetched says nothing of the others of its directory */
  constructor(options: { maxTreeEntries?: number; maxBlobBytes?: number; fetchesBeside?: boolean } = {}) {
    this.#fetchesBeside = options.fetchesBeside ?? true
    this.#trees = new LRUCache({
      maxSize: options.maxTreeEntries ?? 1_000_000,
      sizeCalculation: (tree) => tree.size + 1,
    })
    this.#blobs = new LRUCache({
      maxSize: options.maxBlobBytes ?? 16 * 1024 * 1024,
      sizeCalculation: (blob) => blob.length + 200,
    })
  }

  /** The entries of a tree by name, if the tree was loaded. */
  cachedTree(oid: string): TreeEntries | undefined {
    return this.#trees.get(oid)
  }

  /** True if the content of a blob is at hand. */
  hasBlob(oid: string): boolean {
    return this.#blobs.has(oid)
  }

  /** The entries of a tree by name; callers that ask for one tree at the same time share its reading. */
  async tree(objects: ObjectReader, oid: string, commit: string): Promise<TreeEntries> {
    const cached = this.#trees.get(oid)
    if (cached !== undefined) return cached
    const loading = this.#loading.get(objects) ?? new Map<string, Promise<TreeEntries>>()
    this.#loading.set(objects, loading)
    const promise = loading.get(oid) ?? this.#load(objects, oid, commit).finally(() => loading.delete(oid))
    loading.set(oid, promise)
    return promise
  }

  /** The content of a blob. If it has to be fetched, others that will probably be read are fetched with it. */
  async blob(
    objects: ObjectReader,
    oid: string,
    maxBytes: number,
    { commit, beside }: { commit: string; beside: () => Promise<string[]> },
  ): Promise<Buffer> {
    const cached = this.#blobs.get(oid)
    if (cached === undefined) {
      const absent = { commit, ...(this.#fetchesBeside && { beside }) }
      const { bytes } = await readKnown(objects, oid, maxBytes, absent)
      this.#blobs.set(oid, bytes)
      return bytes
    }
    if (cached.length > maxBytes) {
      throw new ResourceExhaustedError(
        `object ${oid} has ${cached.length} bytes; at most ${maxBytes} are read`,
      )
    }
    return cached
  }

  async #load(objects: ObjectReader, oid: string, commit: string): Promise<TreeEntries> {
    const { type, bytes } = await withContext(
      `directory of commit ${commit}`,
      () => readKnown(objects, oid, maxTreeBytes, { commit }),
      UnavailableError,
    )
    if (type !== 'tree') throw new CorruptMirrorError(`object ${oid} is a ${type} where a tree must be`)
    const tree = new TreeEntries(bytes, oid.length / 2)
    this.#trees.set(oid, tree)
    return tree
  }
}

/** An object that a tree names must exist: if it was not left out when the mirror was fetched, the mirror is damaged. */
async function readKnown(
  objects: ObjectReader,
  oid: string,
  maxBytes: number,
  absent?: { commit: string; beside?: () => Promise<string[]> },
): Promise<GitObject> {
  try {
    return await objects.read(oid, maxBytes)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    if (absent !== undefined && objects.absent?.isPart === true) {
      const others = (await absent.beside?.()) ?? []
      await objects.absent.load(absent.commit, [oid, ...(await objects.lacking(others))])
      return readKnown(objects, oid, maxBytes)
    }
    throw new CorruptMirrorError(`the copy of the repository on disk lacks object ${oid}`, { cause: error })
  }
}

/**
 * Opens the files of a commit. Nothing but the commit is read before it is asked for, and then only the trees on
 * the way to it.
 * @throws NotFoundError if the mirror does not have the commit
 */
export async function openCommitTree(
  objects: ObjectReader,
  cache: TreeCache,
  commitSha: string,
): Promise<CommitTree> {
  if (!isCommitSha(commitSha)) throw new InvalidInputError(`${JSON.stringify(commitSha)} is not a commit SHA`)
  const oid = await objects.treeOf(commitSha)
  if (oid === undefined) throw new NotFoundError(`commit ${commitSha} does not exist in the repository`)
  const root: TreeEntry = { name: '', mode: '040000', id: oid, kind: 'directory' }
  const { entry: entryAt, entryCached } = entriesBelow(root, objects, cache, commitSha)
  const treeOf = (id: string): Promise<TreeEntries> => cache.tree(objects, id, commitSha)
  const directoryAt = async (path: string): Promise<TreeEntries> => {
    const entry = await entryAt(path)
    if (entry?.kind === 'directory') return treeOf(entry.id)
    throw new NotFoundError(`there is no directory ${JSON.stringify(path)} in commit ${commitSha}`)
  }
  return {
    sha: commitSha,
    entry: entryAt,
    entryCached,
    async list(path) {
      return (await directoryAt(path)).list()
    },
    async size(path) {
      return (await directoryAt(path)).size
    },
    async read(file, maxBytes) {
      const entry = typeof file === 'string' ? await entryAt(file) : file
      const path = typeof file === 'string' ? file : file.name
      if (entry === undefined) {
        throw new NotFoundError(`there is no file ${JSON.stringify(path)} in commit ${commitSha}`)
      }
      if (entry.kind === 'directory' || entry.kind === 'submodule') {
        throw new InvalidInputError(`${JSON.stringify(path)} in commit ${commitSha} is a ${entry.kind}`)
      }
      const beside = async (): Promise<string[]> =>
        typeof file === 'string' ? blobsIn((await directoryAt(parentOf(file))).list()) : []
      const read = (): Promise<Buffer> =>
        cache.blob(objects, entry.id, maxBytes, { commit: commitSha, beside })
      if (objects.absent?.isPart !== true) return read()
      return withContext(`file ${JSON.stringify(path)} of commit ${commitSha}`, read, UnavailableError)
    },
    async ready(paths, maxFilesEach = Number.POSITIVE_INFINITY) {
      const { absent } = objects
      if (absent?.isPart !== true) return
      const found = await Promise.all(paths.map(async (path) => ({ path, entry: await entryAt(path) })))
      const pathOf = await pathsOfBlobs(found, maxFilesEach, treeOf)
      const missing = await objects.lacking([...pathOf.keys()].filter((blob) => !cache.hasBlob(blob)))
      const [first] = missing
      if (first === undefined) return
      await withContext(
        `files of ${JSON.stringify(pathOf.get(first))} of commit ${commitSha}`,
        () => absent.load(commitSha, missing),
        UnavailableError,
      )
    },
  }
}

/** The files that entries are or have below them, each with the path of its entry. */
async function pathsOfBlobs(
  found: readonly { path: string; entry: TreeEntry | undefined }[],
  maxFilesEach: number,
  treeOf: (id: string) => Promise<TreeEntries>,
): Promise<Map<string, string>> {
  const pairs = found.map(async ({ path, entry }) =>
    (await blobsBelow(entry, maxFilesEach, treeOf)).map((blob) => [blob, path] as const),
  )
  return new Map((await Promise.all(pairs)).flat())
}

/** The files that an entry is or has below it; none if they are more than `maxFiles`. */
async function blobsBelow(
  entry: TreeEntry | undefined,
  maxFiles: number,
  treeOf: (id: string) => Promise<TreeEntries>,
): Promise<string[]> {
  const blobs: string[] = []
  const add = async ({ id, kind }: TreeEntry): Promise<void> => {
    if (kind === 'submodule' || blobs.length > maxFiles) return
    if (kind !== 'directory') blobs.push(id)
    else for (const child of (await treeOf(id)).list()) await add(child)
  }
  if (entry !== undefined) await add(entry)
  return blobs.length > maxFiles ? [] : blobs
}

/** The files of a directory that are fetched with one of them. */
function blobsIn(entries: readonly TreeEntry[]): string[] {
  const files = entries.filter(({ kind }) => kind !== 'directory' && kind !== 'submodule')
  return files.slice(0, maxBeside).map(({ id }) => id)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

/** The entries of a tree and of those below it by path, with and without waiting for trees that are not loaded. */
function entriesBelow(
  root: TreeEntry,
  objects: ObjectReader,
  cache: TreeCache,
  commit: string,
): Pick<CommitTree, 'entry' | 'entryCached'> {
  const entryCached = (path: string): TreeEntry | undefined | null => {
    let entry = root
    for (const name of namesOf(path)) {
      if (entry.kind !== 'directory') return undefined
      const tree = cache.cachedTree(entry.id)
      if (tree === undefined) return null
      const next = tree.get(name)
      if (next === undefined) return undefined
      entry = next
    }
    return entry
  }
  const entryLoaded = async (path: string): Promise<TreeEntry | undefined> => {
    let entry = root
    for (const name of namesOf(path)) {
      if (entry.kind !== 'directory') return undefined
      const next = (await cache.tree(objects, entry.id, commit)).get(name)
      if (next === undefined) return undefined
      entry = next
    }
    return entry
  }
  const entry = async (path: string): Promise<TreeEntry | undefined> => {
    const cached = entryCached(path)
    return cached === null ? entryLoaded(path) : cached
  }
  return { entry, entryCached }
}

/** The names on the way to a path, without the empty ones and `.`. */
function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}
