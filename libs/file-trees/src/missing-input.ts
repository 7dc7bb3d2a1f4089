import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { childPath } from './repository-path.ts'

/** A tool missed a file that the repository has, so the inspection overlooked it. */
export class MissingInputError extends InvalidInputError {}

/** Most words of a tool's message that are looked up. */
const maxWords = 200

/** Returns true if a tool's message names a file that the tree has and the sandbox has not; its paths are those of the repository. */
export async function missesInput(
  message: string,
  tree: FileTree,
  sourcePath: string,
  repository: string,
): Promise<boolean> {
  if (!/no such file|not found|not a valid directory|does ?n.t exist|unable to find|missing/i.test(message))
    return false
  const words = new Set(message.match(/[^\s'"`:(),]+/g)?.slice(0, maxWords))
  for (const word of words) {
    if (word.includes('..') || word.startsWith('/') || word.length > 1024 || word.includes('\0')) continue
    for (const path of [word, childPath(sourcePath, word)]) {
      if (existsSync(join(repository, path))) continue
      if ((await tree.entry(path)) !== undefined) return true
    }
  }
  return false
}
