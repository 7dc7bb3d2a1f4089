import { writeFile } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Writes a file, by default only where there is none.
 * @throws CommandFailure when it cannot be written
 */
export async function writeNewFile(path: string, text: string, overwrites: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: overwrites ? 'w' : 'wx' })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isThere = 'code' in error && error.code === 'EEXIST'
    const message = isThere ? `${path} exists: use --force to overwrite it` : error.message
    throw new CommandFailure(message, undefined, { cause: error })
  }
}
