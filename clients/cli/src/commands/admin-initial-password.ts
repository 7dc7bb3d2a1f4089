import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { defaultDataFolder } from '../connection/data-folder.ts'

interface PasswordFlags {
  data?: string
}

/** Adds `admin initial-password`. */
export function addInitialPasswordCommand(admin: Command, session: CommandSession): void {
  const command = admin
    .command('initial-password')
    .option('--data <directory>', 'data directory of "wadi up" (default: as for "wadi up")')
    .action((flags: PasswordFlags) => printInitialPassword(session, flags))
  explain(command, 'Print the initial password of the account admin, until it is changed.', [
    'wadi admin initial-password',
    'wadi admin initial-password --data ./wadi-data',
  ])
}

async function printInitialPassword(session: CommandSession, flags: PasswordFlags): Promise<void> {
  const folder = resolve(flags.data ?? defaultDataFolder(session.environment))
  const file = join(folder, 'state.db')
  // Opening a store would make one.
  if (!(await stat(file, { throwIfNoEntry: false }))) {
    throw new CommandFailure(`${folder} is not a data directory of "wadi up"; name it with --data`)
  }
  const { openSqliteStore } = await import('@wadi/resources/store/sqlite-store.ts')
  const { controlPlaneNamespace } = await import('@wadi/resources/control-plane-namespace.ts')
  await using store = openSqliteStore({ file })
  const secret = await store.get('Secret', controlPlaneNamespace, 'argocd-initial-admin-secret')
  const encoded = secret?.data?.['password']
  if (encoded === undefined) {
    throw new CommandFailure(
      'there is no initial password: it was changed, or "wadi up" has never run on this data',
    )
  }
  process.stdout.write(`${Buffer.from(encoded, 'base64').toString('utf8')}\n`)
}
