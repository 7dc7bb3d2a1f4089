import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'

const maxOpenTrees = 32

/** The files of recently used dry commits; commits share what they have in common. */
export class DryTrees {
  #cache = new TreeCache()
  #open = new WeakMap<Mirror, Map<string, Promise<FileTree>>>()

  /** The files of a commit that the mirror has. */
  async open(mirror: Mirror, sha: string): Promise<FileTree> {
    let trees = this.#open.get(mirror)
    if (!trees) this.#open.set(mirror, (trees = new Map<string, Promise<FileTree>>()))
    const tree = trees.get(sha) ?? openCommitTree(mirror.objects, this.#cache, sha)
    trees.delete(sha)
    trees.set(sha, tree)
    tree.catch(() => trees.delete(sha))
    const oldest = trees.keys().next()
    if (trees.size > maxOpenTrees && !oldest.done) trees.delete(oldest.value)
    return tree
  }
}
