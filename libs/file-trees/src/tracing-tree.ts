import { by } from '@wadi/order/by-name.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { isBelow, parentPath } from './repository-path.ts'

/** One read of a path and its result: the entry's id, or undefined if there was none. */
export type TreeRead = readonly [path: string, id: string | undefined]

/** A tree that notes every path looked at, so that the result stays valid for any other tree which gives the same ids there. */
export class TracingTree implements FileTree {
  /** The tree itself, for looks that the result does not depend on. */
  readonly untraced: FileTree
  readonly #entries = new Map<string, FileEntry | undefined>()

  constructor(tree: FileTree) {
    this.untraced = tree
  }

  async entry(path: string): Promise<FileEntry | undefined> {
    if (this.#entries.has(path)) return this.#entries.get(path)
    const entry = await this.untraced.entry(path)
    this.#entries.set(path, entry)
    return entry
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    await this.entry(path)
    return await this.untraced.list(path)
  }

  async read(path: string, maxBytes: number): Promise<Buffer> {
    await this.entry(path)
    return await this.untraced.read(path, maxBytes)
  }

  async ready(paths: readonly string[], maxFilesEach?: number): Promise<void> {
    await this.untraced.ready?.(paths, maxFilesEach)
  }

  /** Records that nothing is at `path`, and the nearest directory above, which could become a link. */
  async noteAbsence(path: string): Promise<void> {
    for (let above = path; above !== '';) {
      above = parentPath(above)
      if ((await this.entry(above)) !== undefined) return
    }
  }

  /** Returns every read, sorted by path, without those below a directory that was read, as its id covers them. */
  reads(): TreeRead[] {
    const reads: TreeRead[] = []
    let covered: string | undefined
    // A parent sorts before what is below it once `/` sorts before every other character.
    const paths = [...this.#entries.keys()].toSorted(by((path) => path.replaceAll('/', '\0')))
    for (const path of paths) {
      if (covered !== undefined && isBelow(path, covered)) continue
      const entry = this.#entries.get(path)
      reads.push([path, entry?.id])
      if (entry?.kind === 'directory') covered = path
    }
    return reads
  }
}
