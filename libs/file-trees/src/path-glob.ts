import type { FileTree } from './file-tree.ts'
import { PathWalk } from './path-walk.ts'

/** True if a path is a pattern: `*`, `?`, `[…]` or `{…}` in it. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/**
 * The files that a pattern of doublestar finds, in its order as in Argo CD: those of a directory before those of its
 * subdirectories, and by their whole paths where a name has braces behind `**`. Links are followed, `**` through those to
 * directories too. `testdata/double-star-trees.json` holds what doublestar found.
 * @throws InvalidInputError for a pattern that is wrong, a link below `**` that leads to a directory above it
 * @throws ResourceExhaustedError for one that looks at more than 50,000 files
 */
export async function expandGlob(tree: FileTree, pattern: string): Promise<string[]> {
  const parts = pattern.split('/')
  const wild = parts.findIndex(isGlob)
  return await new PathWalk(tree, pattern, parts.slice(0, wild).join('/')).files()
}
