import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { GpgKeyFormat } from '../accounts/gpg-key-output.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: GpgKeyFormat
}

/** Adds `gpg list`. */
export function addGpgListCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('list')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((flags: ListFlags) => listKeys(session, flags))
  explain(command, 'List the stored GPG keys.', ['wadi gpg list', 'wadi gpg list -o json'])
}

async function listKeys(session: CommandSession, { output }: ListFlags): Promise<void> {
  const { gpgKeys } = await session.connect('gpgKeys')
  const { keys } = await gpgKeys.listGpgKeys({}, { signal: session.signal })
  const { gpgKeysText } = await import('../accounts/gpg-key-output.ts')
  process.stdout.write(gpgKeysText(keys, output))
}
