import { forgeNames } from '@wadi/forges/forges.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { readCredentials } from '../repositories/repository-credentials.ts'
import type { CredentialFlags } from '../repositories/repository-credentials.ts'

interface AddFlags extends CredentialFlags {
  type: 'git' | 'helm'
  enableOci?: boolean
  passCredentials?: boolean
  name?: string
  project?: string
  proxy?: string
  noProxy?: string
  insecureSkipServerVerification?: boolean
  forge?: string
  forgeUrl?: string
  write?: boolean
  creds?: boolean
  upsert?: boolean
  validate: boolean
}

/** Adds `repo add`. */
export function addRepositoryAddCommand(repo: Command, session: CommandSession): void {
  const command = repo
    .command('add')
    .argument('<url>', 'repository, or a URL prefix with --creds')
    .option('--write', 'store write credentials instead of read credentials')
    .option('--creds', 'use these credentials for every repository under this URL')
    .addOption(
      new Option('--type <type>', 'git, or helm for a repository of charts')
        .choices(['git', 'helm'])
        .default('git'),
    )
    .option('--enable-oci', 'with --type helm: the repository is an OCI registry')
    .option(
      '--pass-credentials',
      'with --type helm: send the credentials also to other hosts on which the index has archives',
    )
    .option('--name <name>', 'display name')
    .option('--project <name>', 'AppProject that the repository is limited to')
    .option('--username <name>', 'user for HTTPS')
    .option('--password <password>', 'password for HTTPS; visible to other users of this machine')
    .option('--password-stdin', 'read the password from standard input ($WADI_REPO_PASSWORD works too)')
    .option(
      '--bearer-token <token>',
      'token for HTTPS ($WADI_REPO_BEARER_TOKEN keeps it out of the process list)',
    )
    .option('--ssh-private-key-path <file>', 'private key for SSH')
    .option('--ssh-known-hosts-path <file>', 'host keys of the server, in the format of known_hosts')
    .option('--github-app-id <number>', 'id of the GitHub App')
    .option('--github-app-installation-id <number>', 'installation id of the GitHub App')
    .option('--github-app-private-key-path <file>', 'private key of the GitHub App, PEM')
    .option('--github-app-enterprise-base-url <url>', 'API URL of a GitHub Enterprise server')
    .addOption(
      new Option(
        '--forge <type>',
        'with --write: the forge of the repository; default: what its host tells',
      ).choices(forgeNames),
    )
    .option('--forge-url <url>', 'with --write: address of the forge or of its API; default: the host')
    .option(
      '--forge-token <token>',
      'with --write: token for the API; default: the credentials for HTTPS ($WADI_REPO_FORGE_TOKEN keeps it out of the process list)',
    )
  addServerOptions(command)
    .option('--upsert', 'replace an existing repository that differs')
    .option('--no-validate', 'store without checking that the repository is reachable')
    .action((url: string, flags: AddFlags) => addRepository(session, url, flags))
  explain(command, 'Add a repository and its credentials after checking that it is reachable.', [
    'wadi repo add https://git.example.com/deploy.git --username ci --password-stdin < password.txt',
    'wadi repo add git@git.example.com:deploy.git --write --ssh-private-key-path ~/.ssh/deploy',
    'wadi repo add https://code.example.com/deploy.git --write --username ci --forge gitea --password-stdin < password.txt',
    'wadi repo add registry.example.com/charts --type helm --enable-oci --username ci --password-stdin < password.txt',
  ])
}

/** Adds the options of the connection to the server, for every caller. */
function addServerOptions(command: Command): Command {
  const noProxy = new Option(
    '--no-proxy <hosts>',
    'hosts that are reached without --proxy, separated by commas',
  )
  // Its name is argocd's, and negates nothing.
  noProxy.negate = false
  return command
    .option(
      '--tls-ca-certificate-path <file>',
      'certificates of the authorities of the server, PEM; default: those of the machine',
    )
    .option('--tls-client-cert-path <file>', 'client certificate, PEM')
    .option('--tls-client-cert-key-path <file>', 'key of the client certificate, PEM')
    .option('--insecure-skip-server-verification', "do not check the server's certificate or host key")
    .option('--proxy <url>', 'HTTP proxy for the repository')
    .addOption(noProxy)
}

async function addRepository(session: CommandSession, url: string, flags: AddFlags): Promise<void> {
  const { forge, forgeUrl, forgeToken, write = false } = flags
  if (!write && (forge !== undefined || forgeUrl !== undefined || forgeToken !== undefined)) {
    throw new CommandFailure('a forge is asked with write credentials alone; add --write')
  }
  const credentials = await readCredentials(flags, session.environment, session.signal)
  const { repositories } = await session.connect('repositories')
  await repositories.createRepository(
    {
      ...credentials,
      repoUrl: url,
      write,
      forge: forge ?? '',
      forgeUrl: forgeUrl ?? '',
      isPrefix: flags.creds ?? false,
      name: flags.name ?? '',
      type: flags.type === 'git' ? '' : flags.type,
      enableOci: flags.enableOci ?? false,
      passCredentials: flags.passCredentials ?? false,
      project: flags.project ?? '',
      insecure: flags.insecureSkipServerVerification ?? false,
      proxy: flags.proxy ?? '',
      noProxy: flags.noProxy ?? '',
      upsert: flags.upsert ?? false,
      skipValidation: !flags.validate,
    },
    { signal: session.signal },
  )
  process.stdout.write(`Repository '${redactUrl(url)}' added\n`)
}
