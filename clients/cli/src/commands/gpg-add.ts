import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

interface AddFlags {
  from: string
  upsert?: boolean
}

/** Adds `gpg add`. */
export function addGpgAddCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('add')
    .requiredOption('-f, --from <file>', 'file with public keys, armoured or binary; - for standard input')
    .option(
      '--upsert',
      'replace existing keys that differ, for example after their owner extended or revoked them',
    )
    .action((flags: AddFlags) => addKeys(session, flags))
  explain(command, 'Store the public GPG keys of a file.', [
    'wadi gpg add --from alice.asc',
    'gpg --export --armor alice@example.com | wadi gpg add --from - --upsert',
  ])
}

async function addKeys(session: CommandSession, { from, upsert = false }: AddFlags): Promise<void> {
  const keyData = from === '-' ? await buffer(process.stdin) : await readKeyFile(from)
  const { gpgKeys } = await session.connect('gpgKeys')
  const { created, updated, skipped } = await gpgKeys.createGpgKeys(
    { keyData, upsert },
    { signal: session.signal },
  )
  for (const [keys, outcome] of [
    [created, 'created'],
    [updated, 'updated'],
  ] as const) {
    for (const { keyId, owner } of keys)
      process.stdout.write(`GPG key ${printable(keyId)} of ${printable(owner)} ${outcome}\n`)
  }
  for (const keyId of skipped) {
    const advice = upsert ? '' : '; --upsert replaces one that differs'
    process.stdout.write(`GPG key ${printable(keyId)} unchanged, it is stored already${advice}\n`)
  }
}

async function readKeyFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    const { message } = cause instanceof Error ? cause : new Error(String(cause))
    throw new CommandFailure(`cannot read ${file}: ${message}`, undefined, { cause })
  }
}
