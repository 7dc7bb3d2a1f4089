import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

interface ExportFlags {
  scheme?: 'gpg' | 'ssh'
  project?: string
  repo?: string
}

/** Adds `gpg export`. */
export function addGpgExportCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('export')
    .addOption(new Option('--scheme <scheme>', 'kind of the keys, if there are both').choices(['gpg', 'ssh']))
    .option('--project <name>', 'only keys for commits of this project')
    .option('--repo <url>', 'only keys for commits in this repository')
    .action((flags: ExportFlags) => exportKeys(session, flags))
  explain(
    command,
    'Print the public keys by which commit-server signs hydrated commits and notes, and signed them before: GPG keys in ASCII armour, or SSH keys as lines for gpg.ssh.allowedSignersFile.',
    [
      'wadi gpg export | gpg --import',
      'wadi gpg export --scheme ssh > allowed_signers && git config gpg.ssh.allowedSignersFile "$PWD/allowed_signers"',
    ],
  )
}

async function exportKeys(
  session: CommandSession,
  { scheme, project = '', repo: repoUrl = '' }: ExportFlags,
): Promise<void> {
  const { gpgKeys } = await session.connect('gpgKeys')
  const { keys } = await gpgKeys.listSigningKeys({ project, repoUrl }, { signal: session.signal })
  const schemes = new Set(keys.map((key) => key.scheme))
  if (scheme === undefined && schemes.size > 1) {
    throw new CommandFailure('there are GPG and SSH keys; choose with --scheme gpg or --scheme ssh')
  }
  const chosen = keys.filter((key) => scheme === undefined || key.scheme === scheme)
  if (chosen.length === 0) {
    const which =
      keys.length > 0 && scheme !== undefined ? `no ${scheme.toUpperCase()} key signs` : 'no key signs'
    throw new CommandFailure(
      `${which} ${project === '' && repoUrl === '' ? 'hydrated commits' : 'these commits'}; an operator gives commit-server one with WADI_SIGNING_KEY_PATH or WADI_SIGNING_KEYS`,
    )
  }
  const texts = new Set(
    chosen.map(({ publicKey }) => publicKey.split('\n').map(printable).join('\n').trimEnd()),
  )
  process.stdout.write(`${[...texts].join('\n')}\n`)
}
