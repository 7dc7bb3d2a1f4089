import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** Characters that HFS+ ignores when it compares names, so that `.g\u200cit` is `.git` there. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Checks a path that is about to be written into a tree: relative, without `.` and `..`, and without any
 * spelling of `.git` that some file system would take for it.
 * @throws InvalidInputError
 */
export function assertTreePath(path: string): void {
  const reason = treePathError(path)
  if (reason !== undefined) {
    throw new InvalidInputError(`${JSON.stringify(path.slice(0, 300))} cannot be committed: it ${reason}`)
  }
}

/** Tells why a path cannot be written into a tree, as the end of a sentence; undefined if it can. */
export function treePathError(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (Buffer.byteLength(path) > 4096) return 'is longer than 4096 bytes'
  if (path.startsWith('/')) return 'is absolute'
  if (path.includes('\0')) return 'contains NUL'
  if (!path.isWellFormed()) return 'is not valid Unicode'
  for (const component of path.split('/')) {
    if (component === '') return 'has an empty component'
    if (component === '.' || component === '..') return `has the component "${component}"`
    // Windows reads a backslash as a separator.
    if (component.split('\\').some(isDotGit)) return 'has a component that stands for .git'
  }
  return undefined
}

function isDotGit(component: string): boolean {
  const name = component
    .replaceAll(ignoredByHfs, '')
    .toLowerCase()
    // NTFS drops what follows a colon, and blanks and dots at the end.
    .replace(/:.*$/s, '')
    .replace(/[ .]+$/, '')
  return name === '.git' || name === 'git~1' || component === '..'
}
