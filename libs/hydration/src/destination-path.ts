import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/**
 * Cleans a path on a hydrated branch: `./a//b/` becomes `a/b`, every spelling of the root becomes `''`.
 * @throws InvalidInputError for a path that is absolute, leaves the branch, enters `.git` or cannot be a git path.
 */
export function cleanDestinationPath(path: string): string {
  const refuse = (reason: string): never => {
    throw new InvalidInputError(`path ${JSON.stringify(path)} ${reason}; give a directory inside the branch`)
  }
  if (/[\p{Cc}\\]/u.test(path)) refuse('has a control character or backslash')
  if (Buffer.byteLength(path) > 1024) refuse('is longer than 1024 bytes')
  if (path.startsWith('/') && path.replaceAll('/', '') !== '') refuse('is absolute')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) refuse('leaves the branch')
      continue
    }
    if (isGitFolderName(part)) refuse("enters git's own folder")
    parts.push(part)
  }
  return parts.join('/')
}

/** Names that a file system may take for `.git`: any case, with ignored code points (HFS+) or as its short name (NTFS). */
function isGitFolderName(part: string): boolean {
  const plain = part.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu, '').toLowerCase()
  return /^(?:\.git|git~\d+)[ .]*(?::.*)?$/u.test(plain)
}
