import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { gateNames } from '@wadi/gates/gate-names.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import type { KnownSigners } from '@wadi/signatures/known-signers.ts'
import type { HydratedHistory } from '../verify/hydrated-history.ts'
import type { Expected, Verification } from '../verify/verify-history.ts'

interface VerifyFlags extends PluginFlags {
  key?: string[]
  keyring?: string[]
  repo: string
  repoUrl?: string
  branch?: string
  installation?: string[]
  since?: string
  gates?: string[]
  fetch?: boolean
  reproduce?: boolean
  dryRepo?: string
  output: 'text' | 'json' | 'yaml'
}

const gpgMemoryBytes = 512 * 1024 ** 2

/** Defines `verify`. */
export function defineVerifyCommand(command: Command, session: CommandSession): void {
  addPluginFlags(command)
    .argument(
      '<branch-or-commit>',
      'hydrated branch, of the remote origin or this clone, or the id of a commit',
    )
    .option(
      '--key <file>',
      'public keys that may sign, as "wadi gpg export" prints them: OpenPGP, SSH public keys or allowed signers, or PEM (repeatable)',
      collect,
    )
    .option(
      '--keyring <file>',
      'keyring of keys that may sign: of gpg, such as pubring.kbx, or the allowed signers of git (repeatable)',
      collect,
    )
    .option('--since <commit>', 'a commit that was verified before; only what came after it is verified')
    .option(
      '--branch <branch>',
      'of a commit: the branch that attestations must name (default: that of the newest)',
    )
    .option('--repo <directory>', 'clone with the branch and the notes', '.')
    .option('--repo-url <url>', 'repository that attestations must name (default: the URL of origin)')
    .option(
      '--installation <id>',
      'installation that may have hydrated (repeatable; default: that of the newest attestation)',
      collect,
    )
    .option(
      '--gates <names>',
      'gates that must have passed in each directory of the head, separated by commas, or "any"',
      gatesValue,
    )
    .option('--fetch', 'fetch the notes from origin first')
    .option('--reproduce', 'render each directory of the head again and compare bytes and tools')
    .option(
      '--dry-repo <directory-or-url>',
      'with --reproduce: dry repository (default: cloned from the metadata)',
    )
    .addOption(outputOption('text', 'json', 'yaml'))
    .action((place: string, flags: VerifyFlags) => verify(session, place, flags))
  showExamples(
    command,
    'wadi gpg export > keys && wadi verify environments/prod --key keys --fetch',
    'wadi verify environments/prod --key keys --since 1f7a7a472abf3dd9643fd615f6da379c4acb3e3a',
    'wadi verify environments/prod --keyring ~/.gnupg/pubring.kbx',
    'wadi verify environments/prod --key keys --gates secrets,policies',
    'wadi verify environments/prod --key keys --reproduce --dry-repo .',
  )
  command.addHelpText(
    'after',
    '\nExit codes: 0 verified, 1 not verified, 20 it could not be checked. -o json prints {branch, commit, verified, directories, reproduced, gates, commits, problems}.',
  )
}

async function verify(session: CommandSession, place: string, flags: VerifyFlags): Promise<void> {
  const { signal } = session
  const { simpleGit } = await import('simple-git')
  const git = simpleGit(flags.repo, { abort: signal })
  const ask = async (args: string[]) => (await git.raw(args)).trim()
  const gitDirectory = await ask(['rev-parse', '--absolute-git-dir']).catch((error: unknown) => {
    throw new CommandFailure(`${flags.repo} is not a git repository: ${errorMessage(error)}`)
  })
  if ((await ask(['rev-parse', '--is-shallow-repository'])) === 'true') {
    throw new CommandFailure('this clone lacks the older history; fetch it with "git fetch --unshallow"')
  }
  const repository = flags.repoUrl ?? (await ask(['remote', 'get-url', 'origin']).catch(() => ''))
  if (repository === '') {
    throw new CommandFailure('this clone has no remote origin; name the repository with --repo-url')
  }
  if (flags.fetch) {
    await ask(['fetch', '--quiet', 'origin', `${notesRef}:${notesRef}`]).catch((error: unknown) => {
      throw new CommandFailure(`the notes cannot be fetched: ${errorMessage(error)}`)
    })
  }
  await using owned = new AsyncDisposableStack()
  const signers = await openSigners([...(flags.key ?? []), ...(flags.keyring ?? [])], owned)
  const { HydratedHistory } = await import('../verify/hydrated-history.ts')
  await using history = await HydratedHistory.open(gitDirectory)
  const expected = await expectedOf(history, place, { ...flags, repository })
  const { verifyHistory } = await import('../verify/verify-history.ts')
  let verification: Verification = await verifyHistory(history, expected, signers, signal)
  if (flags.reproduce) {
    const { reproduceDirectories } = await import('../verify/reproduce-directories.ts')
    const found = await reproduceDirectories(flags.repo, verification, flags.dryRepo, flags, session)
    const problems = [...verification.problems, ...found]
    verification = { ...verification, problems, isReproduced: found.length === 0 }
  }
  const output = await import('../verify/verification-output.ts')
  const { structuredText } = await import('../output/structured-output.ts')
  process.stdout.write(
    flags.output === 'text'
      ? output.verificationText(verification)
      : structuredText(output.verificationObject(verification), flags.output),
  )
  if (output.problemsOf(verification).length > 0) process.exitCode = 1
}

async function openSigners(paths: readonly string[], owned: AsyncDisposableStack): Promise<KnownSigners> {
  if (paths.length === 0) {
    throw new CommandFailure(
      'name the public keys that may sign: "wadi gpg export > keys", then --key keys, or a keyring with --keyring',
    )
  }
  const read = async (path: string) => ({ path, content: await readFile(path) })
  const files = await Promise.all(paths.map(read)).catch((error: unknown) => {
    throw new CommandFailure(`a file of --key or --keyring cannot be read: ${errorMessage(error)}`)
  })
  const { KnownSigners } = await import('@wadi/signatures/known-signers.ts')
  const verifier = async () => {
    const { path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-verify-')))
    const { openLocalContainment } = await import('../render/render-tree.ts')
    return { directory, containment: owned.use(await openLocalContainment(directory, gpgMemoryBytes)) }
  }
  return owned.use(await KnownSigners.open(files, verifier))
}

async function expectedOf(
  history: HydratedHistory,
  place: string,
  { branch = '', installation = [], since, gates, repository }: VerifyFlags & { repository: string },
): Promise<Expected> {
  const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(place)
  const name = place.replace(/^origin\//, '')
  const revisions = isCommit ? [place] : [`refs/remotes/origin/${name}`, `refs/heads/${name}`]
  const head = await history.resolve(...revisions)
  if (head === undefined) {
    const advice = isCommit ? 'fetch it first' : `fetch it first: git fetch origin ${name}`
    throw new CommandFailure(`this clone has no ${isCommit ? 'commit' : 'branch'} ${place}; ${advice}`)
  }
  const verified = since === undefined ? undefined : await history.resolve(since)
  if (since !== undefined && verified === undefined) {
    throw new CommandFailure(`this clone has no commit ${since}, which --since names`)
  }
  const { redactUrl } = await import('@wadi/git/remote/repository-url.ts')
  return {
    head,
    branch: isCommit ? branch : name,
    isBranch: !isCommit,
    repository: redactUrl(repository),
    installations: installation,
    since: verified,
    gates,
  }
}

/** Reads the names of gates; none for `any`. */
function gatesValue(text: string): string[] {
  if (text === 'any') return []
  const names = text.split(',')
  const unknown = names.find((name) => !gateNames.some((gate) => gate === name))
  if (unknown === undefined) return names
  throw new InvalidArgumentError(
    `Unknown gate ${JSON.stringify(unknown)}; expected any, ${gateNames.join(', ')}.`,
  )
}
