import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { newestVersion, parseVersionRange } from './version-range.ts'

/** Characters that nobody sees, and those that turn the order of what follows: two names would look alike. */
export const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/

const tagPrefix = 'refs/tags/'

/** What a revision stands for: a commit, or the beginning of a commit SHA that only a mirror can complete. */
export type ResolvedRevision = { sha: string; ref?: string } | { prefix: string }

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
 * Returns why a text cannot be a revision, as the end of a sentence; undefined for what `resolveRevision` may find: a branch, a
 * tag, a full ref name, a commit or the beginning of one, a version constraint, HEAD.
 */
export function revisionError(text: string): string | undefined {
  if (text === '') return 'is empty'
  if (text.length > 1024) return 'is longer than 1024 characters'
  if (text.startsWith('-')) return 'begins with "-"'
  if (!text.isWellFormed() || /\p{Cc}/u.test(text) || invisible.test(text)) {
    return 'has a control character or an invisible one'
  }
  if (text === 'HEAD' || isCommitSha(text) || parseVersionRange(text) !== undefined) return undefined
  return text.startsWith('refs/') ? refNameError(text) : branchNameError(text)
}

/**
 * Finds the commit of a revision among the refs of a repository.
 *
 * Tried in this order: HEAD (also for empty text), branch, tag (peeled to its commit), full ref name, full SHA
 * (returned as it is; whether it exists is for the caller to check), semver constraint over the tags, beginning of
 * a SHA of at least seven digits. `head` is the branch that the remote's HEAD names.
 * @throws InvalidInputError for text that git could take for an option, or with control characters
 */
export function resolveRevision(
  revision: string,
  refs: ReadonlyMap<string, string>,
  head?: string,
): ResolvedRevision | undefined {
  if (revision.startsWith('-') || /\p{Cc}/u.test(revision) || revision.length > 1024) {
    throw new InvalidInputError(`${JSON.stringify(revision.slice(0, 100))} is not a revision`)
  }
  if (revision === '' || revision === 'HEAD') return resolveHead(refs, head)
  for (const ref of [`refs/heads/${revision}`, `refs/tags/${revision}`, revision]) {
    if (ref === revision && !ref.startsWith('refs/')) continue
    const sha = refs.get(`${ref}^{}`) ?? refs.get(ref)
    if (sha !== undefined) return { sha, ref }
  }
  if (isCommitSha(revision)) return { sha: revision.toLowerCase() }
  const tag = newestMatchingTag(revision, refs)
  if (tag !== undefined) return tag
  return /^[0-9a-f]{7,63}$/i.test(revision) ? { prefix: revision.toLowerCase() } : undefined
}

function resolveHead(refs: ReadonlyMap<string, string>, head?: string): ResolvedRevision | undefined {
  const ref = head === undefined ? undefined : `refs/heads/${head}`
  const sha = ref === undefined ? undefined : refs.get(ref)
  if (ref !== undefined && sha !== undefined) return { sha, ref }
  const detached = refs.get('HEAD')
  return detached === undefined ? undefined : { sha: detached }
}

function newestMatchingTag(
  constraint: string,
  refs: ReadonlyMap<string, string>,
): ResolvedRevision | undefined {
  const range = parseVersionRange(constraint)
  if (range === undefined) return undefined
  const tags = [...refs.keys()].filter((ref) => ref.startsWith(tagPrefix) && !ref.endsWith('^{}'))
  const newest = newestVersion(
    tags.map((ref) => ref.slice(tagPrefix.length)),
    range,
  )
  if (newest === undefined) return undefined
  const ref = tagPrefix + newest
  const sha = refs.get(`${ref}^{}`) ?? refs.get(ref)
  return sha === undefined ? undefined : { sha, ref }
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

function refNameError(ref: string): string | undefined {
  const match = /^refs\/[a-z][a-z-]*\/(.+)$/s.exec(ref)
  return match === null ? 'is not of the form refs/<kind>/<name>' : branchNameError(match[1] ?? '')
}
