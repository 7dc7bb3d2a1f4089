import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { createFile, openDatabase } from './sqlite-database.ts'

/** A use of the connection to a file; disposal ends this use, and closes the connection with the last one. */
export interface SharedDatabase extends Disposable {
  readonly database: DatabaseSync
}

/** The connections of this process, by device and inode of their files, and how many stores use each. */
const connections = new Map<string, { database: DatabaseSync; uses: number }>()

/**
 * Returns this process' one connection to the file of a store, made when there is none. Nothing else in the process may open the file,
 * its `-wal` or its `-shm`, not even to read it: to close any descriptor of a file gives up all locks that the process has on it
 * (POSIX; https://sqlite.org/howtocorrupt.html §2.2), and another program would then take itself for the only user.
 * @throws as `openDatabase`
 */
export function shareDatabase(file: string): SharedDatabase {
  createFile(file)
  const { dev, ino } = statSync(file)
  const key = `${dev}:${ino}`
  const connection = connections.get(key) ?? { database: openDatabase(file), uses: 0 }
  connections.set(key, connection)
  connection.uses++
  let isUsed = true
  return {
    database: connection.database,
    [Symbol.dispose]: () => {
      if (!isUsed) return
      isUsed = false
      connection.uses--
      if (connection.uses > 0) return
      connections.delete(key)
      connection.database.close()
    },
  }
}
