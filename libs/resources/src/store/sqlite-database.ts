import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { refuseIncomplete, unusableDirectory } from '@wadi/errors/unusable-directory.ts'

/** The newest form of a store's file that this version knows. */
const schemaVersion = 1

const schema = `
  CREATE TABLE resources (
    kind TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    resource_version INTEGER NOT NULL,
    object TEXT NOT NULL,
    PRIMARY KEY (kind, namespace, name)
  ) WITHOUT ROWID;
  CREATE TABLE changes (
    resource_version INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    kind TEXT NOT NULL,
    object TEXT NOT NULL
  );
  CREATE TABLE latest (resource_version INTEGER NOT NULL);
  INSERT INTO latest VALUES (0);
  PRAGMA user_version = ${schemaVersion};
`

/**
 * Makes the file of a store when there is none, for its owner alone, and so the directory. A file that is there is not opened:
 * this process may hold locks on it.
 * @throws FailedPreconditionError when the directory cannot be used, or is not restored to the end
 */
export function createFile(file: string): void {
  const directory = dirname(file)
  refuseIncomplete(directory)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) {
      closeSync(openSync(file, 'wx', 0o600))
      syncDirectories(directory)
    } else if ((found.mode & 0o777) !== 0o600 && found.uid === process.geteuid?.()) {
      // SQLite gives its -wal and -shm files the mode of the file. A file of somebody else may be for this user by its group.
      chmodSync(file, 0o600)
    }
  } catch (error) {
    // Another process was faster.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    throw unusableDirectory(directory, error)
  }
}

/** So that the file itself survives a crash of the machine, with the directories that may have been made for it. */
function syncDirectories(directory: string): void {
  let descriptor: number
  try {
    descriptor = openSync(directory, 'r')
  } catch {
    // One that this user may not read was not made here.
    return
  }
  fsyncSync(descriptor)
  closeSync(descriptor)
  if (dirname(directory) !== directory) syncDirectories(dirname(directory))
}

/** The time that a writer waits for that of another process. */
const maxWaitMs = 5_000
const busyPauseMs = 10

/**
 * Opens the file of a store, made when there is none. Every committed change survives a crash. A writer waits up to 5 s for a
 * writer of another process.
 * @throws FailedPreconditionError when a newer version of the program wrote the file, it is damaged, or its directory cannot be used.
 */
export function openDatabase(file: string): DatabaseSync {
  createFile(file)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: maxWaitMs })
    keepLog(database)
    database.exec('PRAGMA synchronous = FULL')
    requireWhole(database)
    makeTables(database, file)
    return database
  } catch (error) {
    database?.close()
    if (isDamage(error)) {
      throw new FailedPreconditionError(
        `${file} is damaged, copied while a service wrote to it, or not a store of Wadi (${error.message}); put a backup in its place, see "wadi admin restore --help"`,
        { cause: error },
      )
    }
    throw unusableDirectory(dirname(file), error)
  }
}

/**
 * Has changes written to a log beside the file. Of two processes that do so with a new file at the same moment, SQLite refuses one at once,
 * whatever time to wait it has, as both read the file.
 */
function keepLog(database: DatabaseSync): void {
  const end = performance.now() + maxWaitMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs)
    }
  }
}

const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}

/** SQLite's codes of a damaged file and of one that is no database. */
const damageCodes = new Set([11, 26])

class DamageError extends Error {}

function isDamage(error: unknown): error is Error {
  if (error instanceof DamageError) return true
  return error instanceof Error && 'errcode' in error && damageCodes.has(Number(error.errcode) & 0xff)
}

/**
 * Reads the whole of a store. A copy whose file and log are of two moments is found here: SQLite itself opens it.
 * @throws an error that says what is wrong with its pages
 */
export function requireWhole(database: DatabaseSync): void {
  const found = String(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
  if (found !== 'ok')
    throw new DamageError(`damaged pages: ${found.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`)
}

function makeTables(database: DatabaseSync, file: string): void {
  inTransaction(database, () => {
    if (schemaOf(database) === 0) database.exec(schema)
    const reason = newerSchema(database, file)
    if (reason !== undefined) throw new FailedPreconditionError(reason)
  })
}

/** Why this version cannot use a store; undefined when it can. */
export function newerSchema(database: DatabaseSync, file: string): string | undefined {
  const version = schemaOf(database)
  if (version <= schemaVersion) return undefined
  return `${file} was written by a newer version of Wadi (schema ${version}, this one knows ${schemaVersion}); start that version, or put a backup from before the upgrade in its place, see "wadi admin restore --help"`
}

function schemaOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** A statement that is compiled once for a database: to compile takes longer than to run. Read its rows before it is used again. */
export function statementOf(database: DatabaseSync, sql: string): StatementSync {
  let ofDatabase = statements.get(database)
  if (!ofDatabase) statements.set(database, (ofDatabase = new Map()))
  let statement = ofDatabase.get(sql)
  if (!statement) ofDatabase.set(sql, (statement = database.prepare(sql)))
  return statement
}

/** Returns the size of the file, including commits that are not yet moved into it. */
export function fileBytes(database: DatabaseSync): number {
  const sql = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()'
  return Number(statementOf(database, sql).get()?.['bytes'])
}

/** Runs `work` alone among the writers of all processes: all of its changes are stored, or with an error none. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  statementOf(database, 'BEGIN IMMEDIATE').run()
  try {
    const result = work()
    statementOf(database, 'COMMIT').run()
    return result
  } catch (error) {
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs `work` in a transaction so that an error takes back its changes alone. */
export function inSavepoint<Result>(database: DatabaseSync, work: () => Result): Result {
  statementOf(database, 'SAVEPOINT work').run()
  try {
    return work()
  } catch (error) {
    if (database.isTransaction) statementOf(database, 'ROLLBACK TO work').run()
    throw error
  } finally {
    if (database.isTransaction) statementOf(database, 'RELEASE work').run()
  }
}

/** Runs `work` on one moment of the database. */
export function inSnapshot<Result>(database: DatabaseSync, work: () => Result): Result {
  statementOf(database, 'BEGIN').run()
  try {
    return work()
  } finally {
    statementOf(database, 'COMMIT').run()
  }
}
