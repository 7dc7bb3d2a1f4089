import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { TracingTree } from './tracing-tree.ts'
import { childPath, parentPath, pathWithin, rootOf } from './repository-path.ts'

/** Longest symlink target, in bytes, and most links on one way; Linux has the same limits. */
const maxTargetLength = 4096
const maxLinks = 40

/** The target of a path once every symlink on the way is followed. */
export interface FollowedPath {
  /** The path as asked for. */
  readonly path: string
  /** The path without links. */
  readonly target: string
  readonly entry: FileEntry
  /** The links on the way with their ids, in the order met. */
  readonly links: ReadonlyArray<readonly [path: string, id: string]>
}

/**
 * Looks a normalised path up and follows symlinks inside the repository, or inside the source beside it that the path is in.
 * Undefined if nothing is at the path, even behind a link; a faulty link is an error that names it.
 * @throws InvalidInputError if a link is absolute, leaves the repository, dangles or loops, or a submodule is on the way
 */
export async function followPath(tree: FileTree, path: string): Promise<FollowedPath | undefined> {
  const direct = await tree.entry(path)
  if (direct !== undefined && direct.kind !== 'symlink' && direct.kind !== 'submodule') {
    return { path, target: path, entry: direct, links: [] }
  }
  // The directories on the way are not part of the answer: another tree may differ in them and still lead to the same place.
  const way = tree instanceof TracingTree ? tree.untraced : tree
  // In a directory that is reached without a link there is just no such name, as mostly.
  if (direct === undefined && path !== '' && (await way.entry(parentPath(path)))?.kind === 'directory')
    return undefined
  const links: [string, string][] = []
  const root = rootOf(path)
  let remaining = namesBelow(root, path)
  // How many of the remaining names are the path's own; those before come from a link.
  let own = remaining.length
  let reached = root
  let entry: FileEntry | undefined
  while (remaining.length > 0) {
    const [name = '', ...rest] = remaining
    const here = childPath(reached, name)
    entry = await way.entry(here)
    if (entry === undefined) {
      const [firstLink] = links.at(-1) ?? []
      if (remaining.length <= own) {
        if (firstLink !== undefined && tree instanceof TracingTree) await tree.noteAbsence(here)
        return undefined
      }
      throw new InvalidInputError(
        `symlink "${firstLink}" leads to "${childPath(here, rest.join('/')).replace(/\/$/, '')}", which does not exist; correct or remove the link`,
      )
    }
    if (entry.kind === 'submodule') {
      throw new InvalidInputError(
        `"${here}" is a git submodule, whose files are not part of this repository; copy them in`,
      )
    }
    if (entry.kind !== 'symlink') {
      reached = here
      remaining = rest
      continue
    }
    await tree.entry(here)
    links.push([here, entry.id])
    if (links.length > maxLinks) {
      throw new InvalidInputError(`symlink "${here}" loops: more than ${maxLinks} links follow one another`)
    }
    own = Math.min(own, rest.length)
    const target = (await tree.read(here, maxTargetLength)).toString()
    remaining = namesBelow(root, linkTarget(here, target))
      .filter((part) => part !== '')
      .concat(rest)
    reached = root
  }
  entry = await tree.entry(reached)
  return entry === undefined ? undefined : { path, target: reached, entry, links }
}

function namesBelow(root: string, path: string): string[] {
  return path.slice(root.length).replace(/^\//, '').split('/')
}

function linkTarget(link: string, target: string): string {
  if (posix.isAbsolute(target)) {
    throw new InvalidInputError(
      `symlink "${link}" leads to the absolute path "${target}"; only links inside the repository are followed`,
    )
  }
  return pathWithin(parentPath(link), target, `symlink "${link}" to`)
}
