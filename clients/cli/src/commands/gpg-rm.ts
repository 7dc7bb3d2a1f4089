import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { printable } from '../output/printable.ts'

interface RemoveFlags {
  yes?: boolean
}

/** Adds `gpg rm`. */
export function addGpgRemoveCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('rm')
    .argument('<key...>', 'key ids of 16 digits, or fingerprints')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .action((keys: string[], flags: RemoveFlags) => removeKeys(session, keys, flags))
  explain(command, 'Remove GPG keys. Commits signed with them are rejected from then on.', [
    'wadi gpg rm D56C4FCA57A46444 --yes',
  ])
  completeWith(command, 'gpg-keys')
}

async function removeKeys(session: CommandSession, keys: string[], flags: RemoveFlags): Promise<void> {
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'GPG keys', verb: 'remove', signal }
  for await (const keyId of confirmedNames(keys, confirmation)) {
    const { gpgKeys } = await session.connect('gpgKeys')
    await gpgKeys.deleteGpgKey({ keyId }, { signal })
    process.stdout.write(`GPG key ${printable(keyId)} removed\n`)
  }
}
