import { realpathSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { UserError } from './user-error.ts'

/** The copy of the repository that the plugin was started in. */
export interface Repository {
  /** Absolute path of its root. */
  readonly root: string
  /** The application's directory relative to the root; `''` is the root itself. */
  readonly path: string
}

/**
 * Finds the root: the directory from which the source's path leads to the application's directory, in which commands run. When
 * there is none, as only a part of the repository was sent, the application's directory takes its place.
 */
export function findRepository(directory: string, sourcePath: string): Repository {
  const path = pathWithin('', sourcePath, 'source path')
  for (let root = directory; ; root = dirname(root)) {
    if (resolved(join(root, path)) === directory) return { root, path }
    if (root === dirname(root)) return { root: directory, path: '' }
  }
}

/** Resolves a path from the directory `base`, a leading `/` meaning the root; the result is relative to the root. */
export function pathWithin(base: string, path: string, what: string): string {
  if (/[\0\\]/.test(path) || path.length > 4096) {
    throw new UserError(
      `${what} ${JSON.stringify(path.slice(0, 200))} is not a path: NUL, backslash or too long`,
    )
  }
  const joined = path.startsWith('/') ? posix.normalize(`.${path}`) : posix.join(base, path || '.')
  const normal = joined.replace(/\/$/, '')
  if (normal === '..' || normal.startsWith('../')) throw leadsOutside(path, what)
  return normal === '.' ? '' : normal
}

/** Returns the kind of the entry at a path once links are followed. */
export function kindOf({ root }: Repository, path: string, what: string): 'file' | 'directory' | undefined {
  const target = resolved(join(root, path))
  if (target === undefined) return undefined
  if (target !== root && !target.startsWith(`${root}/`)) throw leadsOutside(path, what)
  return statSync(target).isDirectory() ? 'directory' : 'file'
}

/** The path without links; undefined when it leads nowhere. */
export function resolved(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function leadsOutside(path: string, what: string): UserError {
  return new UserError(
    `${what} "${path}" leads outside the repository; move what it names into the repository`,
  )
}
