import { NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type GitObject, ObjectReader } from '@wadi/git/objects/object-reader.ts'
import type { GitObjects } from './git-objects.ts'

/** The objects that one mirror has: its commits with everything that they hold. */
export class ModelObjects extends ObjectReader {
  readonly #objects: GitObjects
  readonly #commits = new Set<string>()

  constructor(directory: string, objects: GitObjects) {
    super(directory)
    this.#objects = objects
  }

  /** Takes over a commit and what it was built on. */
  add(sha: string): void {
    for (const each of this.#objects.history(sha)) this.#commits.add(each)
  }

  override async read(oid: string, maxBytes: number): Promise<GitObject> {
    if (!this.#has(oid)) throw new NotFoundError(`object ${oid} does not exist in the repository`)
    const object = this.#objects.read(oid)
    if (object.bytes.length <= maxBytes) return object
    throw new ResourceExhaustedError(`object ${oid} has ${object.bytes.length} bytes`)
  }

  override async size(oid: string): Promise<number> {
    return (await this.read(oid, Infinity)).bytes.length
  }

  override async resolve(expression: string): Promise<string | undefined> {
    const [, sha = '', type] = /^([0-9a-f]{40})(?:\^\{(\w+)\})?$/.exec(expression) ?? []
    if (!this.#has(sha)) return undefined
    if (type === undefined) return sha
    if (!this.#objects.isCommit(sha)) return undefined
    return type === 'tree' ? this.#objects.commit(sha).tree : sha
  }

  override async close(): Promise<void> {
    // There is no process to end.
  }

  #has(oid: string): boolean {
    return this.#objects.isCommit(oid) ? this.#commits.has(oid) : this.#objects.has(oid)
  }
}
