import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { TreeRead } from '@wadi/file-trees/tracing-tree.ts'
import { ReadIds } from './read-ids.ts'
import type { Results } from './reuse.ts'

/** A value with everything that it was computed from. */
interface Traced<Value> {
  readonly value: Value
  /** The entries of a tree. */
  readonly reads: readonly TreeRead[]
  /** Everything else, as text. */
  readonly identity: string
}

/** Values that were computed from trees. One is valid for each tree that has the entries that were read, and for nothing else. */
export class TracedStore<Value> {
  readonly #values: Results<string, Traced<Value>>
  readonly #ids = new ReadIds()

  constructor(values: Results<string, Traced<Value>>) {
    this.#values = values
  }

  /**
   * Returns the value of a key that is valid for a tree.
   * @param identityOf what a value would be computed from now, besides the tree
   */
  async find(key: string, tree: FileTree, identityOf: (value: Value) => string): Promise<Value | undefined> {
    const known = this.#values.get(key)
    if (known === undefined || identityOf(known.value) !== known.identity) return undefined
    return (await this.#ids.areSame(known.reads, tree)) ? known.value : undefined
  }

  put(key: string, traced: Traced<Value>): void {
    this.#values.set(key, traced)
  }
}
