import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import picomatch from 'picomatch'
import type { FileTree } from './file-tree.ts'
import { childPath } from './repository-path.ts'

/** Most directory entries that one pattern may look at. */
const maxEntries = 50_000

/** Most `*` in one pattern; matching takes time that grows with their number. */
const maxStars = 10

/** Whether a path is a pattern: `*`, `?`, `[…]` or `{…}` in it. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/** The files that match a pattern (`**` crosses directories), in byte order; the directories before the first wildcard are taken as they are. */
export async function expandGlob(tree: FileTree, pattern: string): Promise<string[]> {
  if (pattern.split('*').length > maxStars) {
    throw new InvalidInputError(`pattern "${pattern}" has more than ${maxStars} "*"; make it simpler`)
  }
  const parts = pattern.split('/')
  const wild = parts.findIndex(isGlob)
  const base = parts.slice(0, wild).join('/')
  const matches = picomatch(pattern, { dot: true, noextglob: true, maxLength: 4096 })
  const found: string[] = []
  let looked = 0
  const walk = async (directory: string): Promise<void> => {
    for (const entry of await tree.list(directory)) {
      looked += 1
      if (looked > maxEntries) {
        throw new ResourceExhaustedError(
          `pattern "${pattern}" looks through more than ${maxEntries} files; begin it with a directory`,
        )
      }
      const path = childPath(directory, entry.name)
      if (entry.kind === 'directory') await walk(path)
      else if (matches(path)) found.push(path)
    }
  }
  if ((await tree.entry(base))?.kind === 'directory') await walk(base)
  return found.toSorted()
}
