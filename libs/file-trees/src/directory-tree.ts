import { byBytes } from '@wadi/order/by-bytes.ts'
import { createHash } from 'node:crypto'
import {
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileEntry, FileKind, FileTree } from './file-tree.ts'
import { childPath, parentPath } from './repository-path.ts'

/** Files and directories of a directory that are no part of its tree. */
interface LeftOut {
  readonly paths: ReadonlySet<string>
  /** Called once for each of them that is asked for by its own path or by one below it. */
  readonly whenAsked: (path: string) => void
}

/**
 * Opens a directory on disk as a tree; `.git` is left out. Ids are hashes of the content, computed when first asked for.
 * @param contents of files that have another content in the tree, by their paths
 */
export function openDirectoryTree(
  root: string,
  leftOut?: LeftOut,
  contents: ReadonlyMap<string, Buffer> = new Map(),
): FileTree {
  return new DirectoryTree(root, leftOut, contents)
}

class DirectoryTree implements FileTree {
  readonly #root: string
  readonly #leftOut: LeftOut | undefined
  readonly #contents: ReadonlyMap<string, Buffer>
  readonly #entries = new Map<string, DirectoryEntry | undefined>()

  constructor(root: string, leftOut: LeftOut | undefined, contents: ReadonlyMap<string, Buffer>) {
    this.#root = root
    this.#leftOut = leftOut
    this.#contents = contents
  }

  async entry(path: string): Promise<FileEntry | undefined> {
    return this.#look(path)
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    return this.#children(path)
  }

  async read(path: string, maxBytes: number): Promise<Buffer> {
    const entry = this.#look(path)
    if (entry === undefined || entry.kind === 'directory') throw new NotFoundError(`"${path}" is not a file`)
    if (entry.kind === 'symlink') return Buffer.from(await readlink(join(this.#root, path)))
    // A link put in the file's place since it was looked at is not followed.
    await using file = await open(join(this.#root, path), constants.O_RDONLY | constants.O_NOFOLLOW)
    await this.#requireInPlace(file.fd, path)
    const content = this.#contents.get(path)
    const size = content?.length ?? (await file.stat()).size
    if (size > maxBytes)
      throw new ResourceExhaustedError(`"${path}" has ${size} bytes, more than ${maxBytes}`)
    return content ?? (await file.readFile())
  }

  /** Nor is one that was put in the place of a directory on the way; only Linux shows what was opened. */
  async #requireInPlace(descriptor: number, path: string): Promise<void> {
    const opened = await readlink(`/proc/self/fd/${descriptor}`).catch(() => undefined)
    if (opened !== undefined && opened !== join(realpathSync(this.#root), path)) {
      throw new NotFoundError(`"${path}" was replaced while it was read; try again`)
    }
  }

  #children(path: string): DirectoryEntry[] {
    if (this.#look(path)?.kind !== 'directory') throw new NotFoundError(`"${path}" is not a directory`)
    return readdirSync(join(this.#root, path))
      .filter((name) => name !== '.git')
      .toSorted(byBytes)
      .map((name) => childPath(path, name))
      .filter((child) => !this.#leftOut?.paths.has(child))
      .map((child) => this.#look(child))
      .filter((entry) => entry !== undefined)
  }

  #look(path: string): DirectoryEntry | undefined {
    if (this.#entries.has(path)) return this.#entries.get(path)
    const entry = this.#read(path)
    this.#entries.set(path, entry)
    return entry
  }

  #read(path: string): DirectoryEntry | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (path !== '' && (name === '.git' || this.#look(parentPath(path))?.kind !== 'directory'))
      return undefined
    if (this.#leftOut?.paths.has(path)) {
      this.#leftOut.whenAsked(path)
      return undefined
    }
    const stat = lstatSync(join(this.#root, path), { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    // As git has it: the files of another repository are not part of this one.
    if (stat.isDirectory() && path !== '' && existsSync(join(this.#root, path, '.git')))
      return new DirectoryEntry(name, 'submodule', () => hash(path))
    if (stat.isDirectory()) return new DirectoryEntry(name, 'directory', () => this.#directoryId(path))
    if (stat.isSymbolicLink()) {
      return new DirectoryEntry(name, 'symlink', () => hash(readlinkSync(join(this.#root, path))))
    }
    if (!stat.isFile()) return undefined
    const kind = (stat.mode & 0o100) === 0 ? 'file' : 'executable'
    return new DirectoryEntry(name, kind, () => {
      return hash(this.#contents.get(path) ?? readFileSync(join(this.#root, path)))
    })
  }

  #directoryId(path: string): string {
    return hash(JSON.stringify(this.#children(path).map(({ name, kind, id }) => [name, kind, id])))
  }
}

class DirectoryEntry implements FileEntry {
  readonly name: string
  readonly kind: FileKind
  readonly #compute: () => string
  #id: string | undefined

  constructor(name: string, kind: FileKind, compute: () => string) {
    this.name = name
    this.kind = kind
    this.#compute = compute
  }

  get id(): string {
    this.#id ??= this.#compute()
    return this.#id
  }
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
