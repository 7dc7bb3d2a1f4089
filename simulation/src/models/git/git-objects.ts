import { hash } from 'node:crypto'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GitObject } from '@wadi/git/objects/object-reader.ts'

/** A file of a commit. */
export interface CommittedFile {
  readonly mode: string
  /** The id of its blob. */
  readonly id: string
}

/** Files by path. */
export type Files = ReadonlyMap<string, CommittedFile>

/** The parts of a commit, as git writes them. */
export interface CommitParts {
  readonly parents: readonly string[]
  readonly files: Files
  /** As `Name <email> 1700000000 +0000`. */
  readonly author: string
  readonly committer: string
  readonly message: string
}

/** All objects that anybody in a world ever made: their names are git's own, so who has which is all that differs. */
export class GitObjects {
  readonly #objects = new Map<string, GitObject>()
  readonly #commits = new Map<string, CommitParts & { tree: string }>()

  putBlob(bytes: Buffer): string {
    return this.#put('blob', bytes)
  }

  putCommit(parts: CommitParts): string {
    const tree = this.#putTree(parts.files)
    const { parents, author, committer, message } = parts
    const headers = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${author}`,
      `committer ${committer}`,
    ]
    const sha = this.#put('commit', Buffer.from(`${headers.join('\n')}\n\n${message}`))
    this.#commits.set(sha, { ...parts, tree })
    return sha
  }

  /** @throws NotFoundError */
  read(id: string): GitObject {
    const object = this.#objects.get(id)
    if (!object) throw new NotFoundError(`object ${id} does not exist in the repository`)
    return object
  }

  has(id: string): boolean {
    return this.#objects.has(id)
  }

  /** @throws NotFoundError */
  commit(sha: string): CommitParts & { readonly tree: string } {
    const commit = this.#commits.get(sha)
    if (!commit) throw new NotFoundError(`commit ${sha} does not exist in the repository`)
    return commit
  }

  isCommit(sha: string): boolean {
    return this.#commits.has(sha)
  }

  /** The text of a file of a commit; undefined if it has none. */
  textOf(sha: string, path: string): string | undefined {
    const file = this.commit(sha).files.get(path)
    return file && this.read(file.id).bytes.toString()
  }

  /** A commit and all that it was built on, the commit first. */
  history(sha: string): Set<string> {
    const found = new Set([sha])
    for (const each of found) for (const parent of this.commit(each).parents) found.add(parent)
    return found
  }

  /** A commit and those that it was built on along first parents, the newest first. */
  *firstParents(sha: string | undefined): Generator<string> {
    for (let at = sha; at !== undefined; [at] = this.commit(at).parents) yield at
  }

  isAncestor(ancestor: string, descendant: string): boolean {
    return this.history(descendant).has(ancestor)
  }

  /** The paths at which two commits differ, sorted. */
  differingPaths(from: string | undefined, to: string): string[] {
    const before: Files = from === undefined ? new Map() : this.commit(from).files
    const after = this.commit(to).files
    const paths = new Set([...before.keys(), ...after.keys()])
    return [...paths].filter((path) => before.get(path)?.id !== after.get(path)?.id).toSorted()
  }

  #put(type: GitObject['type'], bytes: Buffer): string {
    const id = hash('sha1', Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]))
    this.#objects.set(id, { type, bytes })
    return id
  }

  #putTree(files: Files): string {
    const names = new Map<string, CommittedFile | Map<string, CommittedFile>>()
    for (const [path, file] of files) {
      const slash = path.indexOf('/')
      if (slash < 0) names.set(path, file)
      else {
        const name = path.slice(0, slash)
        const known = names.get(name)
        const below = known instanceof Map ? known : new Map<string, CommittedFile>()
        names.set(name, below.set(path.slice(slash + 1), file))
      }
    }
    const entries = [...names].map(([name, entry]) =>
      entry instanceof Map
        ? { key: `${name}/`, head: `40000 ${name}\0`, id: this.#putTree(entry) }
        : { key: name, head: `${entry.mode} ${name}\0`, id: entry.id },
    )
    // Git sorts by bytes, and a directory as if its name ended with a slash.
    entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
    const parts = entries.flatMap(({ head, id }) => [Buffer.from(head), Buffer.from(id, 'hex')])
    return this.#put('tree', Buffer.concat(parts))
  }
}
