import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { refuseIncomplete } from '@wadi/errors/unusable-directory.ts'
import { requireWhole } from '@wadi/resources/store/sqlite-database.ts'
import {
  type BackupRecord,
  checkedObjects,
  copyContent,
  isDatabase,
  knownFiles,
  objectsText,
  recordedFile,
  recordFile,
} from '../backup/data-files.ts'
import { fillDirectory } from '../backup/fill-directory.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { defaultDataDirectory } from '../connection/data-directory.ts'

/** Time limit of a copy that waits for a service that writes, in milliseconds. */
const lockTimeout = 20_000

/** Adds `admin backup`. */
export function addBackupCommand(admin: Command, session: CommandSession): void {
  const command = admin
    .command('backup')
    .argument('<directory>', 'where the copy is made; it must not exist, or be empty, as a new volume is')
    .option(
      '--data <directory>',
      'data directory of the services, or of some of them (default: as for "wadi up")',
    )
    .action((directory: string, flags: { data?: string }) => backUp(session, directory, flags))
  explain(
    command,
    'Copy what a data directory has and git has not, while the services run, and check the copy.',
    ['wadi admin backup /backup/wadi-2026-11-27', 'wadi admin backup /backup/today --data /var/lib/wadi'],
  )
  command.addHelpText(
    'after',
    '\nThe copy has credentials that are not encrypted: keep it safe. "wadi admin restore" makes a data directory of it.',
  )
}

async function backUp(
  session: CommandSession,
  directory: string,
  { data }: { data?: string },
): Promise<void> {
  const source = resolve(data ?? defaultDataDirectory(session.environment))
  refuseIncomplete(source)
  const present = knownFiles.filter((file) => existsSync(join(source, file)))
  if (present.length === 0) {
    throw new CommandFailure(
      `${source} is not a data directory of Wadi: it has none of ${knownFiles.join(', ')}. Name one with --data; in a cluster the objects are in its API server`,
    )
  }
  const files: BackupRecord['files'] = {}
  await fillDirectory(directory, [...present, recordFile], async (file, to) => {
    if (file === recordFile) {
      const record: BackupRecord = { format: 1, createdAt: new Date().toISOString(), files }
      await writeFile(to, `${JSON.stringify(record, undefined, 2)}\n`)
      return
    }
    if (isDatabase(file)) copyDatabase(join(source, file), to)
    else await copyContent(join(source, file), to)
    files[file] = { ...(await recordedFile(to)), ...(isDatabase(file) && { objects: checkedObjects(to) }) }
  })
  for (const [file, { objects }] of Object.entries(files)) {
    process.stdout.write(objects ? `${file}: ${objectsText(objects)}\n` : `${file}\n`)
  }
  process.stdout.write(`checked and complete in ${resolve(directory)}\n`)
}

/** Copies one moment of a store, whatever the services write meanwhile. SQLite's backup would start again with each of their changes. */
function copyDatabase(from: string, to: string): void {
  try {
    using database = new DatabaseSync(from, { readOnly: true, timeout: lockTimeout })
    // The copy is rebuilt, which would hide that rows are missing.
    requireWhole(database)
    database.prepare('VACUUM INTO ?').run(to)
    // The log of changes, which watches alone read, has Secrets as they were before they were changed or deleted.
    using copy = new DatabaseSync(to)
    copy.exec('PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; DELETE FROM changes')
  } catch (error) {
    throw new Error(`${from} cannot be copied to ${to}: ${errorMessage(error)}`, { cause: error })
  }
}
