import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { GpgKeyFormat } from '../accounts/gpg-key-output.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import { addGpgExportCommand } from './gpg-export.ts'

/** Defines the sub-commands of `gpg`. */
export function defineGpgCommands(gpg: Command, session: CommandSession): void {
  showExamples(gpg, 'wadi gpg list', 'wadi gpg add --from alice.asc', 'wadi gpg export')
  gpg.addHelpText(
    'after',
    '\nspec.signatureKeys or spec.sourceIntegrity of the AppProject decides which signatures a repository requires.',
  )
  addGpgAddCommand(gpg, session)
  addGpgListCommand(gpg, session)
  addGpgExportCommand(gpg, session)
  addGpgGetCommand(gpg, session)
  addGpgRemoveCommand(gpg, session)
}

interface ListFlags {
  output: GpgKeyFormat
  signing?: boolean
}

/** Adds `gpg list`. */
function addGpgListCommand(gpg: Command, session: CommandSession): void {
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

/** Adds `gpg get`. */
function addGpgGetCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('get')
    .argument('<key>', 'key id of 16 digits, or fingerprint')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((key: string, flags: { output: GpgKeyFormat }) => getKey(session, key, flags))
  explain(command, 'Show a stored GPG key.', [
    'wadi gpg get D56C4FCA57A46444',
    'wadi gpg get D56C4FCA57A46444 -o yaml',
  ])
  completeWith(command, 'gpg-keys')
}

async function getKey(
  session: CommandSession,
  keyId: string,
  { output }: { output: GpgKeyFormat },
): Promise<void> {
  const { gpgKeys } = await session.connect('gpgKeys')
  const { key } = await gpgKeys.getGpgKey({ keyId }, { signal: session.signal })
  if (!key) throw new CommandFailure(`the server returned nothing for GPG key ${JSON.stringify(keyId)}`)
  const { gpgKeyText } = await import('../accounts/gpg-key-output.ts')
  process.stdout.write(gpgKeyText(key, output))
}

/** Adds `gpg rm`. */
function addGpgRemoveCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('rm')
    .argument('<key...>', 'key ids of 16 digits, or fingerprints')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .action((keys: string[], flags: { yes?: boolean }) => removeKeys(session, keys, flags))
  explain(command, 'Remove GPG keys. Commits signed with them are rejected from then on.', [
    'wadi gpg rm D56C4FCA57A46444 --yes',
  ])
  completeWith(command, 'gpg-keys')
}

async function removeKeys(session: CommandSession, keys: string[], flags: { yes?: boolean }): Promise<void> {
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'GPG keys', verb: 'remove', signal }
  for await (const keyId of confirmedNames(keys, confirmation)) {
    const { gpgKeys } = await session.connect('gpgKeys')
    await gpgKeys.deleteGpgKey({ keyId }, { signal })
    process.stdout.write(`GPG key ${printable(keyId)} removed\n`)
  }
}

interface AddFlags {
  from: string
  upsert?: boolean
}

/** Adds `gpg add`. */
function addGpgAddCommand(gpg: Command, session: CommandSession): void {
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
