import { realpath, stat } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Returns the real path of a directory.
 * @throws CommandFailure when there is none
 */
export async function existingDirectory(directory: string): Promise<string> {
  const description = await stat(directory, { throwIfNoEntry: false })
  if (!description?.isDirectory()) throw new CommandFailure(`${directory} is not a directory`)
  return realpath(directory)
}
