import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseDoubleStar } from '@wadi/patterns/double-star.ts'
import type { FileTree } from './file-tree.ts'
import { childPath } from './repository-path.ts'

/** Most directory entries that one pattern may look at. */
const maxEntries = 50_000

/** Whether a path is a pattern: `*`, `?`, `[…]` or `{…}` in it. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/**
 * The files that match a pattern of doublestar (`**` crosses directories), as in Argo CD, in byte order; the directories
 * before the first wildcard are taken as they are.
 * @throws InvalidInputError for a pattern that is wrong, ResourceExhaustedError for one that looks at more than 50,000 files
 */
export async function expandGlob(tree: FileTree, pattern: string): Promise<string[]> {
  const parts = pattern.split('/')
  const wild = parts.findIndex(isGlob)
  const base = parts.slice(0, wild).join('/')
  const matches = compileMatcher(parseDoubleStar(pattern))
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
