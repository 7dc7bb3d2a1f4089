import { certificatesOf, readCertificate } from '@wadi/repositories/server-trust.ts'
import type { Command } from 'commander'
import { readInput } from '../certificates/read-input.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

interface AddFlags {
  from?: string
  upsert?: boolean
}

/** Adds `cert add-tls`. */
export function addCertAddTlsCommand(cert: Command, session: CommandSession): void {
  const command = cert
    .command('add-tls')
    .argument('<server>', 'host without a port')
    .option('--from <file>', 'file with certificates, PEM; default: standard input')
    .option('--upsert', 'replace the certificates of this host if they differ')
    .action((server: string, flags: AddFlags) => addAuthorities(session, server, flags))
  explain(command, 'Trust certificate authorities for the https server of repositories and charts.', [
    'wadi cert add-tls git.example.com --from ca.pem',
    'wadi cert add-tls git.example.com --upsert < ca.pem',
  ])
}

async function addAuthorities(session: CommandSession, server: string, flags: AddFlags): Promise<void> {
  const text = await readInput(flags.from, {
    file: 'TLS certificate data in PEM format from',
    input: 'TLS certificate data in PEM format',
  })
  const unique = new Map<string, string>()
  for (const [index, pem] of certificatesOf(text).entries()) {
    const certificate = readCertificate(pem)
    if (!certificate) throw new CommandFailure(`certificate ${index + 1} cannot be read`)
    const { fingerprint256, subject } = certificate
    if (unique.has(fingerprint256)) {
      const shown = `SHA256 fingerprint ${fingerprint256.replaceAll(':', '').toLowerCase()}, subject '${subject.replaceAll('\n', ',')}'`
      process.stdout.write(`WARNING: Duplicate certificate detected (${printable(shown)}), skipping.\n`)
    } else unique.set(fingerprint256, `${pem}\n`)
  }
  if (unique.size === 0) throw new CommandFailure('No valid certificates have been detected in the stream.')
  const { certificates } = await session.connect('certificates')
  const certData = Buffer.from([...unique.values()].join(''))
  await certificates.createCertificate(
    {
      certificates: { items: [{ serverName: server, certType: 'https', certData }] },
      upsert: flags.upsert ?? false,
    },
    { signal: session.signal },
  )
  process.stdout.write(
    `Created/updated TLS certificate entry for repository server ${printable(server)} with ${unique.size} unique PEM certificates\n`,
  )
}
