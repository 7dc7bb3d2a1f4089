import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isJsonObject } from '@wadi/fields/json-object.ts'
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

const knownFiles: ReadonlySet<string> = new Set([...databaseFiles, ...keyFiles])

/** Adds `admin restore`. */
export function addRestoreCommand(admin: Command, session: CommandSession): void {
  const command = admin
    .command('restore')
    .argument('<directory>', 'what "wadi admin backup" made')
    .option(
      '--data <directory>',
      'data directory that is made; it must not exist, or be empty (default: as for "wadi up")',
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
  const target = resolve(data ?? defaultDataFolder(session.environment))
  await makeDirectory(target, async (draft) => {
    for (const file of Object.keys(files)) {
      await mkdir(dirname(join(draft, file)), { recursive: true, mode: 0o700 })
      await copyFile(join(source, file), join(draft, file))
      await syncToDisk(join(draft, file))
    }
    for (const file of databaseFiles) {
      if (files[file]) process.stdout.write(`${file}: ${objectsText(checkedObjects(join(draft, file)))}\n`)
    }
  })
  process.stdout.write(`restored what was backed up at ${createdAt} to ${target}\n`)
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
  if (!isJsonObject(files) || !Object.hasOwn(files, 'state.db')) return false
  return Object.entries(files).every(
    ([path, recorded]) =>
      knownFiles.has(path) &&
      isJsonObject(recorded) &&
      typeof recorded['bytes'] === 'number' &&
      typeof recorded['sha256'] === 'string',
  )
}
