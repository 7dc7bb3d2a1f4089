import type { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { RepositoryWriter } from './repository-writer.ts'

/** The writers of all repositories, one for each mirror. */
export class RepositoryWriters {
  readonly #trees: TreeCache
  readonly #writers = new WeakMap<Mirror, RepositoryWriter>()

  constructor(trees: TreeCache) {
    this.#trees = trees
  }

  of(mirror: Mirror): RepositoryWriter {
    const known = this.#writers.get(mirror)
    if (known) return known
    const writer = new RepositoryWriter(mirror, this.#trees)
    this.#writers.set(mirror, writer)
    return writer
  }
}
