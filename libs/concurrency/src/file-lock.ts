import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const pauseMs = 20

/**
 * Takes a lock among the processes of a machine: one of SQLite's on a file, which the operating system drops when the process ends, however
 * it ends. The file is made when there is none, and stays.
 * @returns the lock; undefined while somebody has it, this process included
 * @throws the error of SQLite when the file cannot be made or locked
 */
export function takeFileLock(file: string): Disposable | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return { [Symbol.dispose]: () => database.close() }
}

/**
 * Takes the lock of a file as soon as nobody else has it.
 * @throws as `takeFileLock`, and the reason of the signal
 */
export async function waitForFileLock(file: string, signal: AbortSignal): Promise<Disposable> {
  for (;;) {
    signal.throwIfAborted()
    const lock = takeFileLock(file)
    if (lock) return lock
    await pause(pauseMs)
  }
}

const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
