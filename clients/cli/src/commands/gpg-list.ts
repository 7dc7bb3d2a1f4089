import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { GpgKeyFormat } from '../accounts/gpg-key-output.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: GpgKeyFormat
  signing?: boolean
}

/** Adds `gpg list`. */
export function addGpgListCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('list')
    .option('--signing', 'those by which commit-server signs hydrated commits')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((flags: ListFlags) => listKeys(session, flags))
  explain(command, 'List the stored GPG keys.', [
    'wadi gpg list',
    'wadi gpg list -o json',
    'wadi gpg list --signing',
  ])
}

async function listKeys(session: CommandSession, { output, signing = false }: ListFlags): Promise<void> {
  const { gpgKeys } = await session.connect('gpgKeys')
  const { signal } = session
  const { gpgKeysText, signingKeysText } = await import('../accounts/gpg-key-output.ts')
  const text = signing
    ? signingKeysText((await gpgKeys.listSigningKeys({}, { signal })).keys, output)
    : gpgKeysText((await gpgKeys.listGpgKeys({}, { signal })).keys, output)
  process.stdout.write(text)
}
