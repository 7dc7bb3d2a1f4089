import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { takeFileLock } from '@wadi/concurrency/file-lock.ts'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'

/**
 * Takes the directory of a cmp-server for this process, before it removes what it takes for left-overs of an earlier one.
 * @throws FailedPreconditionError when another process has it, or it cannot be used
 */
export async function lockOwnDirectory(directory: string): Promise<Disposable> {
  const lock = await takeLock(directory)
  if (lock) return lock
  throw new FailedPreconditionError(
    `another cmp-server uses ${directory}; give each one its own data directory (WADI_DATA_DIR)`,
  )
}

async function takeLock(directory: string): Promise<Disposable | undefined> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    return takeFileLock(join(directory, 'lock.db'))
  } catch (error) {
    throw unusableDirectory(directory, error)
  }
}
