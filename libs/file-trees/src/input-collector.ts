import { by } from '@wadi/order/by-name.ts'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { type FollowedPath, followPath } from './follow-links.ts'
import { childPath, isBelow } from './repository-path.ts'

/** Most entries of one directory tree that is an input. */
const maxEntries = 100_000

/** The files and directories that a render may read, each with everything that identifies its content. */
export class InputCollector {
  readonly warnings: string[] = []
  readonly #tree: FileTree
  readonly #inputs = new Map<string, FollowedPath>()
  #entries = 0

  /** @param tree should trace, so that whatever is collected is also noted as read */
  constructor(tree: FileTree) {
    this.#tree = tree
  }

  /** Adds a normalised path and, for a directory, the targets of the links below it; undefined if nothing is there. */
  async add(path: string): Promise<FollowedPath | undefined> {
    const known = this.#inputs.get(path)
    if (known !== undefined) return known
    const followed = await followPath(this.#tree, path)
    if (followed === undefined) return undefined
    this.#inputs.set(path, followed)
    if (followed.entry.kind === 'directory')
      await this.#addLinksBelow(path, followed.target, [followed.target])
    return followed
  }

  /** Adds the whole repository by the id of its root; the links in it are not looked at. */
  async addRepository(): Promise<void> {
    const root = await followPath(this.#tree, '')
    if (root !== undefined) this.#inputs.set('', root)
  }

  /** Returns the target of a path without links; the path itself if nothing exists there. */
  async follow(path: string): Promise<string> {
    return (this.#inputs.get(path) ?? (await followPath(this.#tree, path)))?.target ?? path
  }

  /** The paths of `minimal`. */
  paths(): string[] {
    return this.minimal().map(({ path }) => path)
  }

  /** The inputs sorted by path, without those that another input holds. */
  minimal(): FollowedPath[] {
    const sorted = [...this.#inputs.values()].toSorted(by(({ path }) => path))
    const directories = sorted.filter(({ entry, links }) => entry.kind === 'directory' && links.length === 0)
    return sorted.filter(
      ({ path, links }) =>
        links.length > 0 ||
        !directories.some((directory) => directory.path !== path && isBelow(path, directory.path)),
    )
  }

  async #addLinksBelow(input: string, directory: string, chain: readonly string[]): Promise<void> {
    for (const entry of await this.#tree.list(directory)) {
      const path = childPath(directory, entry.name)
      this.#entries += 1
      if (this.#entries > maxEntries) {
        throw new ResourceExhaustedError(
          `"${input}" holds more than ${maxEntries} files; give the source a path of its own`,
        )
      }
      if (entry.kind === 'directory') await this.#addLinksBelow(input, path, [...chain, path])
      else if (entry.kind === 'submodule')
        this.warnings.push(
          `submodule "${path}" is left empty, unlike in Argo CD; commit the files themselves`,
        )
      else if (entry.kind === 'symlink') await this.#addLink(input, path, chain)
    }
  }

  async #addLink(input: string, link: string, chain: readonly string[]): Promise<void> {
    const followed = await followPath(this.#tree, link)
    if (followed === undefined) return
    if (chain.some((directory) => isBelow(directory, followed.target))) {
      throw new InvalidInputError(
        `symlink "${link}" loops: it leads to "${followed.target || '.'}", which holds it`,
      )
    }
    this.#inputs.set(link, followed)
    if (followed.entry.kind === 'directory') {
      await this.#addLinksBelow(input, followed.target, [...chain, followed.target])
    }
  }
}
