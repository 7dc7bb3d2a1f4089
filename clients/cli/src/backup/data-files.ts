import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { newerSchema, requireWhole } from '@wadi/resources/store/sqlite-database.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

const databaseFiles = ['state.db', 'repo-server/credentials.db', 'commit-server/credentials.db']

/**
 * The files of data directories that cannot be made again from git, in the order in which they are shown. The key of the services also signs
 * the authors of ApplicationSets.
 */
export const knownFiles: readonly string[] = [...databaseFiles, 'service.key', 'admin.token']

/** Returns whether a known file is a store, and not a key. */
export function isDatabase(file: string): boolean {
  return databaseFiles.includes(file)
}

/** The record that a backup has of one of its files. */
export interface RecordedFile {
  bytes: number
  /** 64 hexadecimal digits. */
  sha256: string
  /** The number of objects of each kind in a store; absent for keys. */
  objects?: Record<string, number>
}

/** The content of `backup.json`. */
export interface BackupRecord {
  format: 1
  createdAt: string
  /** By path below the data directory. */
  files: Record<string, RecordedFile>
}

/** The file of a backup that says what else is in it. */
export const recordFile = 'backup.json'

/**
 * Checks the whole of a store that nobody uses and counts its objects by kind.
 * @throws CommandFailure for a file that is damaged, no store, or of a newer version
 */
export function checkedObjects(file: string): Record<string, number> {
  try {
    // A file that nobody writes is read without the files that SQLite has beside others.
    const url = pathToFileURL(file)
    url.search = 'immutable=1'
    using database = new DatabaseSync(url, { readOnly: true })
    requireWhole(database)
    const reason = newerSchema(database, file)
    if (reason !== undefined) throw new CommandFailure(reason)
    const rows = database
      .prepare('SELECT kind, count(*) AS objects FROM resources GROUP BY kind ORDER BY kind')
      .all()
    return Object.fromEntries(rows.map((row) => [String(row['kind']), Number(row['objects'])]))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`${file} is damaged or not a store of Wadi: ${reason}`, undefined, {
      cause: error,
    })
  }
}

/** Returns the size and digest of a file. */
export async function recordedFile(file: string): Promise<RecordedFile> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return { bytes: (await stat(file)).size, sha256: digest.digest('hex') }
}

/** Returns the objects of a store in a few words, such as `3 Application, 1 AppProject`. */
export function objectsText(objects: Readonly<Record<string, number>>): string {
  return (
    Object.entries(objects)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ') || 'no objects'
  )
}

/** Writes the content of a file over that of another one, which keeps its mode. */
export async function copyContent(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to))
}
