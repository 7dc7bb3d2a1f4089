import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { branchNameError, invisible, isCommitSha, refNameError } from './revision.ts'
import { newestVersion, parseVersionRange } from './version-range.ts'

const tagPrefix = 'refs/tags/'

/** The commit of a revision, or the beginning of a commit SHA that only a mirror can complete. */
export type ResolvedRevision = { sha: string; ref?: string } | { prefix: string }

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
