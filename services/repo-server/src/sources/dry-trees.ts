import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { LRUCache } from 'lru-cache'

const maxOpenTrees = 32

/** The files of recently used dry commits; commits share what they have in common. */
export class DryTrees {
  #cache = new TreeCache()
  #open = new WeakMap<Mirror, LRUCache<string, Promise<FileTree>>>()

  /** The files of a commit that the mirror has. */
  async open(mirror: Mirror, sha: string): Promise<FileTree> {
    let trees = this.#open.get(mirror)
    if (!trees) this.#open.set(mirror, (trees = new LRUCache({ max: maxOpenTrees })))
    const known = trees.get(sha)
    if (known) return known
    const tree = openCommitTree(mirror.objects, this.#cache, sha)
    trees.set(sha, tree)
    tree.catch(() => trees.delete(sha))
    return tree
  }
}
