import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** Characters that nobody sees, and those that turn the order of what follows: two names would look alike. */
export const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/

/** Tells whether the text is a full SHA-1 or SHA-256 object name. */
export function isCommitSha(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)
}

/**
 * Checks the short name of a branch by the rules of git-check-ref-format, and refuses what git would read as
 * something other than a branch (`HEAD`, `refs/…`, an option).
 * @throws InvalidInputError
 */
export function assertBranchName(name: string): void {
  const reason = branchNameError(name)
  if (reason !== undefined) {
    throw new InvalidInputError(`${JSON.stringify(name.slice(0, 260))} is not a branch name: it ${reason}`)
  }
}

/** Tells why a text is not the short name of a branch, as the end of a sentence; undefined if it is one. */
export function branchNameError(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (Buffer.byteLength(name) > 255) return 'is longer than 255 bytes'
  if (name.startsWith('-')) return 'begins with "-"'
  if (name === '@' || /^(?:[A-Z]+_)?HEAD$/.test(name)) return 'is reserved by git'
  if (/^refs(?:\/|$)/i.test(name)) return 'begins with "refs/"; give the short name'
  if (/[\p{Cc}\s~^:?*[\\]/u.test(name)) return 'contains a blank, a control character or one of ~^:?*[\\'
  if (name.includes('..') || name.includes('@{')) return 'contains ".." or "@{"'
  if (isCommitSha(name)) return 'looks like a commit SHA'
  if (!name.isWellFormed() || invisible.test(name)) return 'has an invisible character'
  for (const component of name.split('/')) {
    if (component === '') return 'begins or ends with "/" or contains "//"'
    if (component.startsWith('.')) return 'has a component that begins with "."'
    if (component.toLowerCase().endsWith('.lock')) return 'has a component that ends with ".lock"'
  }
  return name.endsWith('.') ? 'ends with "."' : undefined
}

/**
 * Checks that a text is a full object name, before it becomes an argument of git.
 * @throws InvalidInputError
 */
export function assertCommitSha(text: string): void {
  if (!isCommitSha(text))
    throw new InvalidInputError(`${JSON.stringify(text.slice(0, 100))} is not a commit SHA`)
}

/**
 * Checks a full ref name such as `refs/heads/main` or `refs/notes/x`.
 * @throws InvalidInputError
 */
export function assertRefName(ref: string): void {
  const reason = refNameError(ref)
  if (reason !== undefined) {
    throw new InvalidInputError(`${JSON.stringify(ref.slice(0, 260))} is not a ref name: it ${reason}`)
  }
}

export function refNameError(ref: string): string | undefined {
  const match = /^refs\/[a-z][a-z-]*\/(.+)$/s.exec(ref)
  return match === null ? 'is not of the form refs/<kind>/<name>' : branchNameError(match[1] ?? '')
}
