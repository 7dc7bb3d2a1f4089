import { chown, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { refuseIncomplete } from '@wadi/errors/unusable-directory.ts'
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

/** Adds `admin restore`. */
export function addRestoreCommand(admin: Command, session: CommandSession): void {
  const command = admin
    .command('restore')
    .argument('<directory>', 'what "wadi admin backup" made')
    .option(
      '--data <directory>',
      'data directory that is made; it must not exist, or be empty, as a new volume is (default: as for "wadi up")',
    )
    .action((directory: string, flags: { data?: string }) => restore(session, directory, flags))
  explain(command, 'Make a data directory from a backup, after checking all of it.', [
    'wadi admin restore /backup/today --data /var/lib/wadi',
  ])
}

async function restore(
  session: CommandSession,
  directory: string,
  { data }: { data?: string },
): Promise<void> {
  const source = resolve(directory)
  refuseIncomplete(source)
  const { files, createdAt } = await readRecord(source)
  for (const [file, { bytes, sha256 }] of Object.entries(files)) {
    const found = await recordedFile(join(source, file)).catch((error: unknown) => {
      throw new CommandFailure(`${join(source, file)} cannot be read: ${String(error)}`, undefined, {
        cause: error,
      })
    })
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new CommandFailure(
        `${join(source, file)} is not the file that was backed up: it has ${found.bytes} bytes in place of ${bytes}, or others; use another backup`,
      )
    }
  }
  const present = knownFiles.filter((file) => files[file] !== undefined)
  const shown = present
    .filter(isDatabase)
    .map((file) => `${file}: ${objectsText(checkedObjects(join(source, file)))}\n`)
  const target = resolve(data ?? defaultDataDirectory(session.environment))
  // The store that services open first comes last.
  await fillDirectory(target, present.toReversed(), async (file, to) => {
    await copyContent(join(source, file), to)
    if (process.geteuid?.() === 0) await giveToOwner(target, to)
  })
  process.stdout.write(shown.join(''))
  process.stdout.write(`restored what was backed up at ${createdAt} to ${target}\n`)
}

/** Root restores for whom the directory belongs to, such as the user of the service whose volume it is. */
async function giveToOwner(target: string, file: string): Promise<void> {
  const { uid, gid } = await stat(target)
  for (let path = file; path !== target; path = dirname(path)) await chown(path, uid, gid)
}

/** @throws CommandFailure for a directory that is not a whole backup */
async function readRecord(directory: string): Promise<BackupRecord> {
  const file = join(directory, recordFile)
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new CommandFailure(
      `${directory} is not a backup of "wadi admin backup": ${file} cannot be read`,
      undefined,
      {
        cause: error,
      },
    )
  }
  if (!isRecord(value)) {
    throw new CommandFailure(
      `${file} is not the record of a backup that this version of Wadi reads (format 1)`,
    )
  }
  return value
}

function isRecord(value: unknown): value is BackupRecord {
  if (!isJsonObject(value) || value['format'] !== 1 || typeof value['createdAt'] !== 'string') return false
  const { files } = value
  if (!isJsonObject(files) || Object.keys(files).length === 0) return false
  return Object.entries(files).every(
    ([path, recorded]) =>
      knownFiles.includes(path) &&
      isJsonObject(recorded) &&
      typeof recorded['bytes'] === 'number' &&
      typeof recorded['sha256'] === 'string',
  )
}
