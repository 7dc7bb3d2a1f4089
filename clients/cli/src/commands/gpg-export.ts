import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

interface ExportFlags {
  scheme?: 'gpg' | 'ssh'
  project?: string
  repo?: string
  pem?: boolean
}

/** Adds `gpg export`. */
export function addGpgExportCommand(gpg: Command, session: CommandSession): void {
  const command = gpg
    .command('export')
    .addOption(new Option('--scheme <scheme>', 'kind of the keys, if there are both').choices(['gpg', 'ssh']))
    .option('--project <name>', 'only keys for commits of this project')
    .option('--repo <url>', 'only keys for commits in this repository')
    .option('--pem', 'print SSH keys in PEM, as cosign takes them')
    .action((flags: ExportFlags) => exportKeys(session, flags))
  explain(
    command,
    'Print the public keys by which commit-server signs hydrated commits and notes, and signed them before: GPG keys in ASCII armour, or SSH keys as lines for gpg.ssh.allowedSignersFile.',
    [
      'wadi gpg export | gpg --import',
      'wadi gpg export --scheme ssh > allowed_signers && git config gpg.ssh.allowedSignersFile "$PWD/allowed_signers"',
      'wadi gpg export --pem > wadi.pem',
    ],
  )
}

async function exportKeys(
  session: CommandSession,
  { pem = false, project = '', repo: repoUrl = '', ...flags }: ExportFlags,
): Promise<void> {
  const scheme = pem ? 'ssh' : flags.scheme
  if (pem && flags.scheme === 'gpg')
    throw new CommandFailure('OpenPGP keys have no form in PEM; leave out --pem')
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
  const shown = pem ? await Promise.all(chosen.map(pemOf)) : chosen.map(({ publicKey }) => publicKey)
  const texts = new Set(shown.map((text) => text.split('\n').map(printable).join('\n').trimEnd()))
  process.stdout.write(`${[...texts].join('\n')}\n`)
}

/** @throws CommandFailure for a key of a FIDO device, which other programs do not verify by */
async function pemOf({
  publicKey,
  fingerprint,
}: {
  publicKey: string
  fingerprint: string
}): Promise<string> {
  const { sshPem } = await import('@wadi/signatures/ssh-public-key.ts')
  const pem = sshPem(publicKey)
  if (pem !== undefined) return pem
  throw new CommandFailure(`SSH key ${fingerprint} has no form in PEM, as that of a FIDO device`)
}
