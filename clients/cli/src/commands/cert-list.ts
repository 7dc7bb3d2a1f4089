import { RepositoryCertificateSchema } from '@wadi/protocol/gen/argocd/v1alpha1/repository_pb.ts'
import { by } from '@wadi/order/by-name.ts'
import { type Command, Option } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { messageObject } from '../output/message-output.ts'
import { outputOption } from '../output/output-option.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

interface ListFlags {
  output: 'wide' | 'json' | 'yaml'
  sort: 'hostname' | 'type'
  certType?: string
  hostnamePattern?: string
}

/** Adds `cert list`. */
export function addCertListCommand(cert: Command, session: CommandSession): void {
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
