import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { treePathError } from '@wadi/git/objects/tree-path.ts'
import { invisible } from '@wadi/git/mirror/revision.ts'

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
  const reason = clean === '' ? undefined : treePathError(clean)
  if (reason !== undefined) refuse(reason)
  return clean
}

/** Files that Wadi writes, into hydrated directories and the branch's root, in lower case. */
const ownNames = ['readme.md', 'hydrator.metadata', 'manifest.yaml', '.gitattributes', '.gitmodules']

/** Names that Windows keeps for devices, with any extension, in lower case. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\..*)?$/s

/**
 * Returns why a clean path on a hydrated branch cannot be that of an Application, as the end of a sentence: a directory of it
 * has the name of a file that Wadi writes or that git reads, or cannot be checked out everywhere. Undefined if it can.
 */
export function destinationNameError(clean: string): string | undefined {
  for (const name of clean === '' ? [] : clean.split('/')) {
    const lower = name.normalize('NFKC').toLowerCase()
    if (ownNames.includes(lower)) return `has a directory named ${name}, a file that Wadi or git uses`
    if (Buffer.byteLength(name) > 255) return 'has a directory whose name is longer than 255 bytes'
    if (deviceName.test(lower)) return `has a directory named ${name}, which Windows keeps for a device`
    if (/[<>:"|?*]/.test(name)) return 'has one of <>:"|?*, which Windows cannot check out'
    if (/[. ]$/.test(name)) {
      return 'has a directory whose name ends with a dot or a blank, which Windows cannot check out'
    }
    if (name.startsWith(' ')) return 'has a directory whose name begins with a blank'
    if (invisible.test(name)) return 'has an invisible character'
  }
  return undefined
}

/** Returns the form under which two paths are one where file systems ignore case or the form of accents. */
export function foldedPath(clean: string): string {
  return clean.normalize('NFC').toLowerCase().normalize('NFC')
}
