import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../output/printable.ts'

interface RemoveFlags {
  certType?: string
  certSubType?: string
  yes?: boolean
}

/** Adds `cert rm`. */
export function addCertRemoveCommand(cert: Command, session: CommandSession): void {
  const command = cert
    .command('rm')
    .argument(
      '<server>',
      'host, `[host]:port` for an SSH server on another port than 22, or a glob for several',
    )
    .addOption(new Option('--cert-type <type>', 'only those of this type').choices(['ssh', 'https']))
    .option('--cert-sub-type <type>', 'only host keys of this type, for example ssh-rsa')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .action((server: string, flags: RemoveFlags) => removeCertificates(session, server, flags))
  explain(command, 'Remove the certificate authorities and host keys of a server.', [
    'wadi cert rm git.example.com --yes',
    'wadi cert rm git.example.com --cert-type ssh --cert-sub-type ssh-rsa --yes',
  ])
  completeWith(command, 'trusted-servers')
}

async function removeCertificates(
  session: CommandSession,
  server: string,
  flags: RemoveFlags,
): Promise<void> {
  if (server === '*') throw new CommandFailure('A single wildcard is not allowed as REPOSERVER name.')
  const { certType = '', certSubType = '', yes = false } = flags
  const { signal } = session
  const confirmation = { yes, what: 'certificates', verb: 'remove all certificates for', signal }
  for await (const hostNamePattern of confirmedNames([server], confirmation)) {
    const { certificates } = await session.connect('certificates')
    const { items } = await certificates.deleteCertificate(
      { hostNamePattern, certType, certSubType },
      { signal },
    )
    const lines = items.map(
      (item) =>
        `Removed cert for '${printable(item.serverName)}' of type '${item.certType}' (subtype '${printable(item.certSubType)}')\n`,
    )
    const none = 'No certificates were removed (none matched the given pattern)\n'
    process.stdout.write(lines.length === 0 ? none : lines.join(''))
  }
}
