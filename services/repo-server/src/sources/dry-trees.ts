import { openCommitTree, TreeCache } from '@wadi/git/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror.ts'
import type { FileTree } from '@wadi/rendering/file-tree.ts'

const maxOpenTrees = 32

/** The files of recently used dry commits; commits share what they have in common. */
export class DryTrees {
  #cache = new TreeCache()
  #open = new Map<string, Promise<FileTree>>()

  /** The files of a commit that the mirror has. */
  async open(mirror: Mirror, sha: string): Promise<FileTree> {
    const known = this.#open.get(sha)
    this.#open.delete(sha)
    const tree = known ?? openCommitTree(mirror.objects, this.#cache, sha)
    this.#open.set(sha, tree)
    tree.catch(() => this.#open.delete(sha))
    const oldest = this.#open.keys().next()
    if (this.#open.size > maxOpenTrees && !oldest.done) this.#open.delete(oldest.value)
    return tree
  }
}
