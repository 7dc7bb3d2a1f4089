import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { byBytes } from '@wadi/order/by-bytes.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseDoubleStar } from '@wadi/patterns/double-star.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { type FollowedPath, followPath } from './follow-links.ts'
import { childPath, isBelow } from './repository-path.ts'

/** Most directories and entries of them that one pattern may look at. */
const maxEntries = 50_000

/** One search for the paths of a pattern, the way that Go's `bmatcuk/doublestar` v4 takes through directories. */
export class PathWalk {
  readonly #tree: FileTree
  readonly #pattern: string
  /** Doublestar has two ways: where `**` is not the end alone, what alternatives find is sorted as a whole. */
  readonly #sortsWhole: boolean
  readonly #base: string
  /** The targets of links below directories that were listed. */
  readonly #linked = new Map<string, string | undefined>()
  #looked = 0

  /** @param base the directories of the pattern before its first wildcard */
  constructor(tree: FileTree, pattern: string, base: string) {
    this.#tree = tree
    this.#pattern = pattern
    this.#base = base
    this.#sortsWhole = pattern.slice(0, -2).includes('**')
    parseDoubleStar(pattern)
  }

  /** The files that the pattern finds, each once. */
  async files(): Promise<string[]> {
    const wild = this.#pattern.slice(this.#base === '' ? 0 : this.#base.length + 1)
    // Another `**` after one finds the same again.
    const found = await this.#find(this.#base, wild.replaceAll(/(?<=^|\/)\*\*\/(?=\*\*(?:\/|$))/g, ''), true)
    const files: string[] = []
    for (const path of new Set(found)) {
      if ((await this.#directory(path)) === undefined) files.push(path)
    }
    return files
  }

  /** @param last whether names at the end may be those of files */
  async #find(directory: string, pattern: string, last: boolean): Promise<string[]> {
    const at = Math.max(pattern.lastIndexOf('/'), pattern.lastIndexOf('}'))
    // An empty alternative without a directory before it is no path to doublestar.
    if (pattern === '' && directory === this.#base) return []
    if (!/[*?[{]/.test(pattern)) return await this.#present(joined(directory, pattern))
    if (pattern[at] === '}') return await this.#alternatives(directory, pattern, at, last)
    if (at < 0) return await this.#inside(directory, pattern, last)
    const found: string[] = []
    for (const one of await this.#find(directory, pattern.slice(0, at), false)) {
      found.push(...(await this.#inside(one, pattern.slice(at + 1), last)))
    }
    return found
  }

  /** Returns the matches of the last braces of a pattern, in each directory that the names before them find. */
  async #alternatives(directory: string, pattern: string, closing: number, last: boolean): Promise<string[]> {
    const opening = openingOf(pattern, closing)
    const slash = Math.max(pattern.lastIndexOf('/', opening), pattern.lastIndexOf('}', opening))
    const isNested = pattern[slash] === '/'
    const start = isNested ? slash + 1 : 0
    const directories = isNested ? await this.#find(directory, pattern.slice(0, slash), false) : [directory]
    const found: string[] = []
    for (const one of directories) {
      const here = new Set<string>()
      for (const alternative of alternativesOf(pattern.slice(opening + 1, closing))) {
        const written = `${pattern.slice(start, opening)}${alternative}${pattern.slice(closing + 1)}`
        for (const path of await this.#find(one, written, last)) here.add(path)
      }
      found.push(...(this.#sortsWhole ? here : [...here].toSorted(byBytes)))
    }
    return this.#sortsWhole ? [...new Set(found)].toSorted(byBytes) : found
  }

  /** Returns the matches of a name in a directory; none where there is no directory. */
  async #inside(directory: string, name: string, last: boolean): Promise<string[]> {
    const real = await this.#directory(directory)
    if (real === undefined) return []
    if (name === '') return [directory]
    if (name === '**') return [directory, ...(await this.#below(directory, [real], last))]
    const matches = compileMatcher(parseDoubleStar(name))
    const found: string[] = []
    for (const entry of await this.#list(real)) {
      const path = childPath(directory, entry.name)
      if (matches(entry.name) && (last || (await this.#realChild(real, entry)) !== undefined))
        found.push(path)
    }
    return found
  }

  /** @param chain the directories without links that led here, this one last */
  async #below(directory: string, chain: readonly string[], last: boolean): Promise<string[]> {
    const found: string[] = []
    const real = chain.at(-1) ?? directory
    for (const entry of await this.#list(real)) {
      const path = childPath(directory, entry.name)
      const inner = await this.#realChild(real, entry)
      if (inner === undefined) {
        if (last) found.push(path)
        continue
      }
      if (chain.some((above) => isBelow(above, inner))) {
        throw new InvalidInputError(
          `pattern "${this.#pattern}" does not end: symlink "${childPath(real, entry.name)}" leads to "${inner || '.'}", which holds it; remove the link, or name the directories`,
        )
      }
      found.push(path, ...(await this.#below(path, [...chain, inner], last)))
    }
    return found
  }

  async #present(path: string): Promise<string[]> {
    return (await this.#follow(path)) === undefined ? [] : [path]
  }

  /** Returns the target of a path that is a directory, possibly behind links. */
  async #directory(path: string): Promise<string | undefined> {
    const followed = await this.#follow(path)
    return followed?.entry.kind === 'directory' ? followed.target : undefined
  }

  async #realChild(real: string, entry: FileEntry): Promise<string | undefined> {
    const path = childPath(real, entry.name)
    if (entry.kind === 'directory') return path
    if (entry.kind !== 'symlink') return undefined
    if (!this.#linked.has(path)) this.#linked.set(path, await this.#directory(path))
    return this.#linked.get(path)
  }

  /** Undefined also for a link that leads nowhere in the repository: only one that is found has to lead to a file. */
  async #follow(path: string): Promise<FollowedPath | undefined> {
    try {
      return await followPath(this.#tree, path)
    } catch (cause) {
      if (cause instanceof InvalidInputError) return undefined
      throw cause
    }
  }

  async #list(directory: string): Promise<readonly FileEntry[]> {
    const entries = await this.#tree.list(directory)
    this.#looked += entries.length + 1
    if (this.#looked <= maxEntries) return entries
    throw new ResourceExhaustedError(
      `pattern "${this.#pattern}" looks through more than ${maxEntries} files; begin it with a directory`,
    )
  }
}

function joined(directory: string, path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return names.reduce(childPath, directory)
}

/** Returns the start of the braces that end at a position. */
function openingOf(pattern: string, closing: number): number {
  let depth = 0
  for (let at = closing; at >= 0; at -= 1) {
    if (pattern[at] === '}') depth += 1
    if (pattern[at] === '{' && (depth -= 1) === 0) return at
  }
  throw new InvalidInputError(`pattern "${pattern}" has a "}" without "{"`)
}

/** Returns the texts between the commas of braces; doublestar ignores an empty one at their end. */
function alternativesOf(content: string): string[] {
  const alternatives: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: character, index } of content.matchAll(/[{},]/g)) {
    if (character === '{') depth += 1
    else if (character === '}') depth -= 1
    else if (depth === 0) {
      alternatives.push(content.slice(start, index))
      start = index + 1
    }
  }
  return start < content.length ? [...alternatives, content.slice(start)] : alternatives
}
