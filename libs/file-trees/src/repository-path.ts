import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'

/** Longest path that is looked up, in characters; Linux knows none longer. */
const maxPathLength = 4096

/**
 * Normalises a path that is relative to the repository's root; the root itself becomes `''`.
 * @param what names the path in errors, for example `source path`
 * @throws InvalidInputError if it is absolute, leaves the repository or holds a NUL
 */
export function repositoryPath(path: string, what: string): string {
  if (path.startsWith('/')) {
    throw new InvalidInputError(
      `${what} "${path}" is absolute; give it relative to the root of the repository`,
    )
  }
  return pathWithin('', path, what)
}

/** The directory beside the repository in which the files of another source are: no repository has a directory of this name. */
export function besideRepository(ref: string): string {
  return `../$${ref}`
}

/** The root that a path is below: that of the repository, `''`, or a directory beside it. */
export function rootOf(path: string): string {
  return /^\.\.\/\$[^/]+/.exec(path)?.[0] ?? ''
}

/** A path as its source's files are named in options: `$name/path` for one beside the repository. */
export function shownPath(path: string): string {
  return rootOf(path) === '' ? path : path.slice('../'.length)
}

/**
 * Resolves `path` from the directory `base`, which is normalised already; a leading `/` means the root of the repository, or of the
 * source beside it that `base` is in.
 * @throws InvalidInputError if the result lies outside the repository or that source
 */
export function pathWithin(base: string, path: string, what: string): string {
  const shown = shortened(path, 200)
  if (path.includes('\0') || path.includes('\\') || path.length > maxPathLength) {
    throw new InvalidInputError(
      `${what} ${JSON.stringify(shown)} is not a path: NUL, backslash or more than ${maxPathLength} characters`,
    )
  }
  const root = rootOf(base)
  const from = base.slice(root.length).replace(/^\//, '')
  const joined = posix.normalize(path.startsWith('/') ? path.slice(1) || '.' : posix.join(from, path || '.'))
  const normal = joined.replace(/\/$/, '')
  if (normal === '..' || normal.startsWith('../') || normal.startsWith('/')) {
    throw new InvalidInputError(
      `${what} "${shown}" leads outside the repository; move what it names into the repository`,
    )
  }
  return normal === '.' ? root : childPath(root, normal)
}

/** The directory that holds `path`; that of a name in the root is `''`. */
export function parentPath(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/** The last name of `path`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Joins a normalised directory and the name of one of its entries. */
export function childPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** True if `path` is `directory` or below it; everything in the repository is below `''`. */
export function isBelow(path: string, directory: string): boolean {
  if (directory === '') return rootOf(path) === ''
  return path === directory || path.startsWith(`${directory}/`)
}
