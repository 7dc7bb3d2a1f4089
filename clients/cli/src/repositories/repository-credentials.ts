import { readFile } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'
import { askSecret, canAsk } from '../command-line/confirmation.ts'

/** The flags of `repo add` that lead to secrets. */
export interface CredentialFlags {
  username?: string
  password?: string
  passwordStdin?: boolean
  bearerToken?: string
  sshPrivateKeyPath?: string
  sshKnownHostsPath?: string
  githubAppId?: string
  githubAppInstallationId?: string
  githubAppPrivateKeyPath?: string
  githubAppEnterpriseBaseUrl?: string
  tlsCaCertificatePath?: string
  tlsClientCertPath?: string
  tlsClientCertKeyPath?: string
  /** Of write credentials alone. */
  forgeToken?: string
  write?: boolean
}

/**
 * Collects the credentials that the flags name: files are read; the password comes from `--password`, standard input,
 * `$WADI_REPO_PASSWORD` or a question on the terminal, a token from its flag or its variable.
 * @throws CommandFailure when a part of a pair is missing.
 */
export async function readCredentials(
  flags: CredentialFlags,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
) {
  const bearerToken = flags.bearerToken ?? environment['WADI_REPO_BEARER_TOKEN'] ?? ''
  const githubApp = [flags.githubAppId, flags.githubAppInstallationId, flags.githubAppPrivateKeyPath]
  if (githubApp.some((part) => part !== undefined) && githubApp.includes(undefined)) {
    throw new CommandFailure(
      'a GitHub App needs all of --github-app-id, --github-app-installation-id and --github-app-private-key-path',
    )
  }
  if ((flags.tlsClientCertPath === undefined) !== (flags.tlsClientCertKeyPath === undefined)) {
    throw new CommandFailure('--tls-client-cert-path and --tls-client-cert-key-path go together')
  }
  return {
    username: flags.username ?? '',
    password: await readPassword(flags, environment, bearerToken, signal),
    bearerToken,
    sshPrivateKey: await readText(flags.sshPrivateKeyPath),
    sshKnownHosts: await readText(flags.sshKnownHostsPath),
    githubAppId: flags.githubAppId ?? '',
    githubAppInstallationId: flags.githubAppInstallationId ?? '',
    githubAppPrivateKey: await readText(flags.githubAppPrivateKeyPath),
    githubAppEnterpriseBaseUrl: flags.githubAppEnterpriseBaseUrl ?? '',
    tlsCaCertificate: await readText(flags.tlsCaCertificatePath),
    tlsClientCertificate: await readText(flags.tlsClientCertPath),
    tlsClientKey: await readText(flags.tlsClientCertKeyPath),
    forgeToken: flags.forgeToken ?? (flags.write ? environment['WADI_REPO_FORGE_TOKEN'] : undefined) ?? '',
  }
}

async function readPassword(
  flags: CredentialFlags,
  environment: NodeJS.ProcessEnv,
  bearerToken: string,
  signal: AbortSignal,
): Promise<string> {
  if (flags.password !== undefined) return flags.password
  if (flags.passwordStdin)
    return (await process.stdin.setEncoding('utf8').toArray()).join('').replace(/\r?\n$/, '')
  const password = environment['WADI_REPO_PASSWORD']
  if (password !== undefined) return password
  const needed = flags.username !== undefined && bearerToken === '' && flags.sshPrivateKeyPath === undefined
  if (!needed || !canAsk()) return ''
  return askSecret(`Password of ${flags.username}: `, signal)
}

async function readText(path: string | undefined): Promise<string> {
  return path === undefined ? '' : readFile(path, 'utf8')
}
