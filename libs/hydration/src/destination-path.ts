import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { treePathFault } from '@wadi/git/tree-path.ts'

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
    parts.push(part)
  }
  const clean = parts.join('/')
  const fault = clean === '' ? undefined : treePathFault(clean)
  if (fault !== undefined) refuse(fault)
  return clean
}
