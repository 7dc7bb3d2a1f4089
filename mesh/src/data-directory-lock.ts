import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { createFile } from '@wadi/resources/store/sqlite-database.ts'

/**
 * Takes a data directory for this process. The lock is one of SQLite's on a file, which the operating system drops when
 * the process ends, however it ends.
 * @throws FailedPreconditionError when another process has it, or it cannot be used
 */
export async function lockDataDirectory(directory: string): Promise<Disposable> {
  const file = join(directory, 'lock.db')
  createFile(file)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 200 })
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    if (!isBusy(cause)) throw unusableDirectory(directory, cause)
    throw new FailedPreconditionError(
      `another process uses the data directory ${directory}; stop it or choose another directory`,
      { cause },
    )
  }
  const owned = database
  return { [Symbol.dispose]: () => owned.close() }
}

const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
