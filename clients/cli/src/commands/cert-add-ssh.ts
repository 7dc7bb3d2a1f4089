import { readKnownHost } from '@wadi/repositories/known-hosts.ts'
import type { Command } from 'commander'
import { readInput } from '../certificates/read-input.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface AddFlags {
  batch?: boolean
  from?: string
  upsert?: boolean
}

/** Adds `cert add-ssh`. */
export function addCertAddSshCommand(cert: Command, session: CommandSession): void {
  const command = cert
    .command('add-ssh')
    .option('--batch', 'read lines in the format of known_hosts; required, as in argocd')
    .option('--from <file>', 'file with the lines; default: standard input')
    .option('--upsert', 'replace keys of the same host and type that differ')
    .action((flags: AddFlags) => addHostKeys(session, flags))
  explain(command, 'Trust the host keys of SSH servers.', [
    'ssh-keyscan git.example.com | wadi cert add-ssh --batch',
    'wadi cert add-ssh --batch --from known_hosts --upsert',
  ])
}

async function addHostKeys(session: CommandSession, { batch, from, upsert }: AddFlags): Promise<void> {
  if (!batch) {
    throw new CommandFailure('you need to specify --batch or specify --help for usage instructions')
  }
  const text = await readInput(from, {
    file: 'SSH known hosts entries from file',
    input: 'SSH known hosts entries, one per line',
  })
  const items = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.trim().startsWith('#')) return []
    const known = readKnownHost(line)
    if (!known)
      throw new CommandFailure(`line ${index + 1} is not a host with its key, as known_hosts has them`)
    const { marker, hosts, keyType: certSubType, key } = known
    if (marker !== '') {
      throw new CommandFailure(
        `line ${index + 1}: ${marker} can be given in the ConfigMap argocd-ssh-known-hosts-cm alone (wadi apply -f FILE)`,
      )
    }
    return hosts.map((serverName) => ({
      serverName,
      certType: 'ssh',
      certSubType,
      certData: Buffer.from(key),
    }))
  })
  if (items.length === 0) throw new CommandFailure('No valid SSH known hosts data found.')
  const { certificates } = await session.connect('certificates')
  const created = await certificates.createCertificate(
    { certificates: { items }, upsert: upsert ?? false },
    { signal: session.signal },
  )
  process.stdout.write(`Successfully created ${created.items.length} SSH known host entries\n`)
}
