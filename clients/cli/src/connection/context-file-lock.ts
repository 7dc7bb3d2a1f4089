import { chmod } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandFailure } from '../command-line/command-failure.ts'

const maxWaitMs = 60_000
const pauseMs = 20

/**
 * Takes the context file for this command, waiting for another that has it. The lock is one of SQLite's on a file beside
 * it, which the operating system drops when the process ends, however it ends.
 * @throws CommandFailure when another command has it for a minute, or the directory cannot be written
 */
export async function lockContextFile(path: string): Promise<Disposable> {
  const file = `${path}.lock`
  const database = openDatabase(file)
  try {
    await chmod(file, 0o600)
    const end = performance.now() + maxWaitMs
    while (!isTaken(database)) {
      if (performance.now() > end) {
        throw new CommandFailure(`another command has locked ${path} for a minute; end it and try again`)
      }
      await pause(pauseMs)
    }
  } catch (error) {
    database.close()
    throw error
  }
  return { [Symbol.dispose]: () => database.close() }
}

function openDatabase(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`cannot create ${file} (${reason}); its directory must be writable`, 1, {
      cause: error,
    })
  }
}

const sqliteBusy = 5

function isTaken(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
    throw error
  }
}
