import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { type FollowedPath, followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, isBelow } from '@wadi/file-trees/repository-path.ts'

/** The limits of the files of one render. */
export interface InputLimits {
  /** All files together, in bytes. */
  readonly inputBytes: number
  readonly inputFiles: number
}

/** The target of copied inputs. */
interface InputTarget {
  /** For inputs that were not inspected, in which a broken link matters only if the tool wants it. */
  readonly skipBadLinks?: boolean
  /** Everything that was copied, which is not copied again. */
  readonly copied: Set<string>
  readonly directory: (path: string) => void
  readonly file: (path: string, content: Buffer) => void
}

/**
 * Copies inputs with all that is in them; a symlink becomes a copy of what it leads to.
 * @throws ResourceExhaustedError above a limit
 */
export async function copyInputs(
  tree: FileTree,
  inputs: readonly string[],
  limits: InputLimits,
  { skipBadLinks = false, copied, directory, file }: InputTarget,
): Promise<void> {
  let bytes = 0
  const count = (path: string): void => {
    copied.add(path)
    if (copied.size > limits.inputFiles) {
      throw new ResourceExhaustedError(`"${path}": more than ${limits.inputFiles} files to render from`)
    }
  }
  const copyFile = async (path: string, target: string): Promise<void> => {
    if (copied.has(path)) return
    count(path)
    const content = await tree.read(target, limits.inputBytes - bytes)
    bytes += content.length
    file(path, content)
  }
  const copyDirectory = async (path: string, target: string): Promise<void> => {
    count(path)
    directory(path)
    for (const { name, kind } of await tree.list(target)) {
      const below = childPath(target, name)
      if (kind === 'directory') await copyDirectory(childPath(path, name), below)
      else if (kind === 'symlink') await copyFollowed(childPath(path, name), below)
      else if (kind !== 'submodule') await copyFile(childPath(path, name), below)
    }
  }
  const copyFollowed = async (path: string, link: string): Promise<void> => {
    const followed = await follow(tree, link, skipBadLinks)
    if (followed === undefined) return
    if (followed.entry.kind !== 'directory') await copyFile(path, followed.target)
    else if (link === '' || link === followed.target || !isBelow(link, followed.target)) {
      await copyDirectory(path, followed.target)
    }
  }
  await tree.ready?.(inputs)
  for (const input of inputs) await copyFollowed(input, input)
}

async function follow(
  tree: FileTree,
  path: string,
  skipBadLinks: boolean,
): Promise<FollowedPath | undefined> {
  try {
    return await followPath(tree, path)
  } catch (error) {
    if (skipBadLinks && error instanceof InvalidInputError) return undefined
    throw error
  }
}
