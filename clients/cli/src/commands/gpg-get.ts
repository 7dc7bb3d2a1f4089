import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import type { GpgKeyFormat } from '../accounts/gpg-key-output.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  output: GpgKeyFormat
}

/** Adds `gpg get`. */
export function addGpgGetCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('get')
    .argument('<key>', 'key id of 16 digits, or fingerprint')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((key: string, flags: GetFlags) => getKey(session, key, flags))
  explain(command, 'Show a stored GPG key.', [
    'wadi gpg get D56C4FCA57A46444',
    'wadi gpg get D56C4FCA57A46444 -o yaml',
  ])
  completeWith(command, 'gpg-keys')
}

async function getKey(session: CommandSession, keyId: string, { output }: GetFlags): Promise<void> {
  const { gpgKeys } = await session.connect('gpgKeys')
  const { key } = await gpgKeys.getGpgKey({ keyId }, { signal: session.signal })
  if (!key) throw new CommandFailure(`the server returned nothing for GPG key ${JSON.stringify(keyId)}`)
  const { gpgKeyText } = await import('../accounts/gpg-key-output.ts')
  process.stdout.write(gpgKeyText(key, output))
}
