import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { syncToDisk } from '@wadi/rpc/durable-file.ts'
import {
  type BackupRecord,
  checkedObjects,
  databaseFiles,
  keyFiles,
  objectsText,
  recordedFile,
  recordFile,
} from '../backup/data-files.ts'
import { makeDirectory } from '../backup/new-directory.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { defaultDataFolder } from '../connection/data-folder.ts'

/** How long a copy waits for a service that writes, in milliseconds. */
const lockTimeout = 20_000

/** Adds `admin backup`. */
export function addBackupCommand(admin: Command, session: CommandSession): void {
  const command = admin
    .command('backup')
    .argument('<directory>', 'where the copy is made; it must not exist, or be empty')
    .option('--data <directory>', 'data directory of the services (default: as for "wadi up")')
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
  const source = resolve(data ?? defaultDataFolder(session.environment))
  if (!(await exists(join(source, 'state.db')))) {
    throw new CommandFailure(
      `${source} is not a data directory of Wadi: it has no state.db. Name one with --data; in a cluster the objects are in its API server`,
    )
  }
  const files: BackupRecord['files'] = {}
  await makeDirectory(directory, async (draft) => {
    for (const file of databaseFiles) {
      if (!(await exists(join(source, file)))) continue
      await copyDatabase(join(source, file), join(draft, file))
      files[file] = { ...(await recordedFile(join(draft, file))), objects: checkedObjects(join(draft, file)) }
    }
    for (const file of keyFiles) {
      if (!(await exists(join(source, file)))) continue
      await copyFile(join(source, file), join(draft, file))
      await syncToDisk(join(draft, file))
      files[file] = await recordedFile(join(draft, file))
    }
    const record: BackupRecord = { format: 1, createdAt: new Date().toISOString(), files }
    await writeFile(join(draft, recordFile), `${JSON.stringify(record, undefined, 2)}\n`, {
      mode: 0o600,
      flush: true,
    })
  })
  for (const [file, { objects }] of Object.entries(files)) {
    process.stdout.write(objects ? `${file}: ${objectsText(objects)}\n` : `${file}\n`)
  }
  process.stdout.write(`checked and complete in ${resolve(directory)}\n`)
}

/** SQLite's own copy: that of one moment, whatever the services write meanwhile. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await writeFile(to, '', { mode: 0o600 })
  using database = new DatabaseSync(from, { readOnly: true, timeout: lockTimeout })
  await backup(database, to)
  await syncToDisk(to)
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file, { throwIfNoEntry: false })) !== undefined
}
