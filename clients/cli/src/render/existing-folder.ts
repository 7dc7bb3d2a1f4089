import { realpath, stat } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Returns the real path of a folder.
 * @throws CommandFailure when there is none
 */
export async function existingFolder(folder: string): Promise<string> {
  const description = await stat(folder, { throwIfNoEntry: false })
  if (!description?.isDirectory()) throw new CommandFailure(`${folder} is not a directory`)
  return realpath(folder)
}
