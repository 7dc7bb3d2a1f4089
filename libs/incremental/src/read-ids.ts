import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { TreeRead } from '@wadi/file-trees/tracing-tree.ts'

/** The ids of entries that were asked for, by tree and path. */
export class ReadIds {
  readonly #ids = new WeakMap<FileTree, Map<string, string | undefined>>()

  /** Returns true if a tree has the same id at every path that was read. */
  async areSame(reads: readonly TreeRead[], tree: FileTree): Promise<boolean> {
    const ids = this.#ids.getOrInsertComputed(tree, () => new Map())
    for (const [path, id] of reads) {
      let now = ids.get(path)
      if (now === undefined && !ids.has(path)) {
        now = (await tree.entry(path))?.id
        ids.set(path, now)
      }
      if (now !== id) return false
    }
    return true
  }
}
