import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'

/**
 * Takes a data folder for this process. The lock is one of SQLite's on a file, which the operating system drops when
 * the process ends, however it ends.
 * @throws FailedPreconditionError when another process has it
 */
export async function lockDataFolder(directory: string): Promise<Disposable> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, 'lock.db')
  const database = new DatabaseSync(file, { timeout: 200 })
  await chmod(file, 0o600)
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw new FailedPreconditionError(
      `another process uses the data directory ${directory}; stop it or choose another directory`,
      { cause },
    )
  }
  return { [Symbol.dispose]: () => database.close() }
}
