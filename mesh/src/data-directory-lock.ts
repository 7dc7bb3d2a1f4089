import { join } from 'node:path'
import { takeFileLock } from '@wadi/concurrency/file-lock.ts'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { createFile } from '@wadi/resources/store/sqlite-database.ts'

/**
 * Takes a data directory for this process.
 * @throws FailedPreconditionError when another process has it, or it cannot be used
 */
export async function lockDataDirectory(directory: string): Promise<Disposable> {
  const lock = lockOf(directory)
  if (lock) return lock
  throw new FailedPreconditionError(
    `another process uses the data directory ${directory}; stop it or choose another directory`,
  )
}

function lockOf(directory: string): Disposable | undefined {
  const file = join(directory, 'lock.db')
  createFile(file)
  try {
    return takeFileLock(file)
  } catch (cause) {
    throw unusableDirectory(directory, cause)
  }
}
