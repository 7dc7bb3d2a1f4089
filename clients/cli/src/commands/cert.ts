import { by } from '@wadi/order/by-name.ts'
import { RepositoryCertificateSchema } from '@wadi/protocol/gen/argocd/v1alpha1/repository_pb.ts'
import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { messageObject } from '../output/message-output.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'
import { addCertAddSshCommand } from './cert-add-ssh.ts'
import { addCertAddTlsCommand } from './cert-add-tls.ts'

/** Defines the sub-commands of `cert`. */
export function defineCertCommands(cert: Command, session: CommandSession): void {
  showExamples(cert, 'wadi cert add-tls git.example.com --from ca.pem', 'wadi cert list')
  cert.addHelpText(
    'after',
    '\nThey are in the ConfigMaps argocd-tls-certs-cm and argocd-ssh-known-hosts-cm. What the Secret of a repository says takes precedence.',
  )
  addCertAddTlsCommand(cert, session)
  addCertAddSshCommand(cert, session)
  addCertListCommand(cert, session)
  addCertRemoveCommand(cert, session)
}

interface ListFlags {
  output: 'wide' | 'json' | 'yaml'
  sort: 'hostname' | 'type'
  certType?: string
  hostnamePattern?: string
}

/** Adds `cert list`. */
function addCertListCommand(cert: Command, session: CommandSession): void {
  const command = cert
    .command('list')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .addOption(
      new Option('--sort <column>', 'order of rows').choices(['hostname', 'type']).default('hostname'),
    )
    .addOption(new Option('--cert-type <type>', 'only those of this type').choices(['ssh', 'https']))
    .option('--hostname-pattern <glob>', 'only those of hosts that match')
    .action((flags: ListFlags) => listCertificates(session, flags))
  explain(command, 'List the certificate authorities and host keys that are trusted.', [
    'wadi cert list',
    "wadi cert list --cert-type ssh --hostname-pattern '*.example.com'",
  ])
}

async function listCertificates(session: CommandSession, flags: ListFlags): Promise<void> {
  const { output, sort, certType = '', hostnamePattern: hostNamePattern = '' } = flags
  const { certificates } = await session.connect('certificates')
  const { items } = await certificates.listCertificates(
    { hostNamePattern, certType },
    { signal: session.signal },
  )
  if (output !== 'wide') {
    const objects = items.map((item) => messageObject(RepositoryCertificateSchema, item))
    process.stdout.write(structuredText(objects, output))
    return
  }
  const sorted = items.toSorted(by((item) => (sort === 'type' ? item.certType : item.serverName)))
  const rows = sorted.map((item) => [item.serverName, item.certType, item.certSubType, item.certInfo])
  process.stdout.write(tableText(['HOSTNAME', 'TYPE', 'SUBTYPE', 'INFO'], rows))
}

interface RemoveFlags {
  certType?: string
  certSubType?: string
  yes?: boolean
}

/** Adds `cert rm`. */
function addCertRemoveCommand(cert: Command, session: CommandSession): void {
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
