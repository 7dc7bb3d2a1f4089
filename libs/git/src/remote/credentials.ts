import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { redactor } from '@wadi/errors/redaction.ts'
import { hostAndPort } from '../network/network-policy.ts'
import { proxyOf } from '../network/proxy.ts'
import type { RepositoryUrl } from './repository-url.ts'

/** The credentials of one repository. Every field is optional; the transport decides which of them are used. */
export type GitCredentials = {
  /** For http(s); `x-access-token` when only a password is given, which every forge takes for tokens. */
  username?: string
  password?: string
  /** Sent as `Authorization: Bearer`; wins over user name and password. */
  bearerToken?: string
  /** A private key in PEM or OpenSSH format, without passphrase. */
  sshPrivateKey?: string
  /** Lines in known_hosts format; without them the machine's global known hosts are used. */
  sshKnownHosts?: string
  insecureSkipTlsVerify?: boolean
  insecureIgnoreHostKey?: boolean
  /** PEM certificates that vouch for the server, instead of the machine's. */
  tlsCaCertificate?: string
  tlsClientCertificate?: string
  tlsClientKey?: string
  /** URL of an http, https or socks5 proxy for http(s) repositories. */
  proxy?: string
  /** Comma-separated hosts that are reached without the proxy. */
  noProxy?: string
  /** Says what to do when the server does not accept them: which ones they are. */
  advice?: string
}

/** Credentials in the form in which one git process takes them: configuration, environment and private files. */
type PreparedCredentials = AsyncDisposable & {
  config: [key: string, value: string][]
  environment: Record<string, string>
}

/**
 * Makes credentials ready for one git process that talks to one remote.
 *
 * HTTP secrets travel as configuration in the environment, scoped to the exact URL of the repository; keys and
 * certificates lie in files of mode 0600 in a private directory, which disposal removes. Nothing is put in argv.
 * With `addresses`, git and ssh connect to these without looking the host up; names of certificates and host keys stay.
 */
export async function prepareCredentials(
  credentials: GitCredentials,
  remote: RepositoryUrl,
  addresses: readonly string[] = [],
): Promise<PreparedCredentials> {
  if (remote.transport === 'ssh') return prepareSsh(credentials, remote, addresses)
  if (remote.transport === 'file') return { config: [], environment: {}, [Symbol.asyncDispose]: nothing }
  return prepareHttp(credentials, remote, addresses)
}

async function nothing(): Promise<void> {}

async function prepareHttp(
  credentials: GitCredentials,
  remote: RepositoryUrl,
  addresses: readonly string[],
): Promise<PreparedCredentials> {
  const scope = `http.${remote.text}`
  const config: [string, string][] = []
  if (addresses.length > 0) {
    const { host, port } = hostAndPort(remote)
    const targets = addresses.map((address) => (address.includes(':') ? `[${address}]` : address))
    config.push(['http.curloptResolve', `${host}:${port}:${targets.join(',')}`])
  }
  const environment: Record<string, string> = {}
  const authorization = authorizationHeader(credentials)
  if (authorization !== undefined) {
    config.push([`${scope}.extraHeader`, `Authorization: ${authorization}`])
  }
  if (credentials.insecureSkipTlsVerify) config.push([`${scope}.sslVerify`, 'false'])
  if (credentials.proxy) {
    // Which hosts are reached without the proxy is decided here, so that it is the same for charts.
    config.push([`${scope}.proxy`, proxyOf(remote, credentials) ?? ''])
    environment['NO_PROXY'] = ''
    environment['no_proxy'] = ''
  }
  const files = await writePrivateFiles({
    sslCAInfo: credentials.tlsCaCertificate,
    sslCert: credentials.tlsClientCertificate,
    sslKey: credentials.tlsClientKey,
  })
  for (const [name, file] of files.paths) config.push([`${scope}.${name}`, file])
  return { config, environment, [Symbol.asyncDispose]: files.remove }
}

/**
 * Credentials for one HTTP repository as environment variables alone, so that another process can be given them; none
 * for other transports, whose keys are files.
 */
export function credentialVariables(
  credentials: GitCredentials,
  remote: RepositoryUrl,
): { name: string; value: string }[] {
  if (remote.transport === 'ssh' || remote.transport === 'file') return []
  const authorization = authorizationHeader(credentials)
  const config = [
    ...(authorization === undefined ? [] : [['extraHeader', `Authorization: ${authorization}`]]),
    ...(credentials.insecureSkipTlsVerify ? [['sslVerify', 'false']] : []),
  ]
  if (config.length === 0) return []
  return [
    { name: 'GIT_TERMINAL_PROMPT', value: '0' },
    { name: 'GIT_CONFIG_COUNT', value: String(config.length) },
    ...config.flatMap(([key = '', value = ''], index) => [
      { name: `GIT_CONFIG_KEY_${index}`, value: `http.${remote.text}.${key}` },
      { name: `GIT_CONFIG_VALUE_${index}`, value },
    ]),
  ]
}

/** The value of the `Authorization` header that credentials ask for, if they do. */
export function authorizationHeader(credentials: GitCredentials): string | undefined {
  const { username, password, bearerToken } = credentials
  if (bearerToken !== undefined && bearerToken !== '') return `Bearer ${bearerToken}`
  return username || password ? `Basic ${basicToken(credentials)}` : undefined
}

function basicToken({ username, password }: GitCredentials): string {
  return Buffer.from(`${username || 'x-access-token'}:${password ?? ''}`).toString('base64')
}

/** Options that hold for every ssh connection, with or without a key. */
const sshWords = [
  'ssh',
  '-F /dev/null',
  '-o BatchMode=yes',
  '-o IdentitiesOnly=yes',
  '-o IdentityAgent=none',
  '-o ClearAllForwardings=yes',
  '-o ConnectTimeout=15',
  '-o ServerAliveInterval=15',
  '-o ServerAliveCountMax=4',
]

async function prepareSsh(
  credentials: GitCredentials,
  remote: RepositoryUrl,
  [address]: readonly string[],
): Promise<PreparedCredentials> {
  const key = credentials.sshPrivateKey
  const files = await writePrivateFiles({
    identity: key === undefined ? undefined : `${key.replaceAll('\r\n', '\n').trimEnd()}\n`,
    // An empty file of its own stands in for ~/.ssh/known_hosts, which is not Wadi's to read or write.
    knownHosts: credentials.sshKnownHosts ?? '',
  })
  const knownHosts = files.paths.get('knownHosts') ?? '/dev/null'
  const words = [...sshWords, `-o IdentityFile=${files.paths.get('identity') ?? 'none'}`]
  words.push(`-o UserKnownHostsFile=${knownHosts}`)
  if (address !== undefined) {
    const { host, port } = hostAndPort(remote)
    // Known hosts have other ports than ssh's own with the name; the quotes are for the shell.
    words.push(`-o HostName=${address}`, `-o 'HostKeyAlias=${port === '22' ? host : `[${host}]:${port}`}'`)
  }
  if (credentials.sshKnownHosts !== undefined) words.push('-o GlobalKnownHostsFile=/dev/null')
  words.push(`-o StrictHostKeyChecking=${credentials.insecureIgnoreHostKey ? 'no' : 'yes'}`)
  return {
    config: [],
    environment: { GIT_SSH_COMMAND: words.join(' '), GIT_SSH_VARIANT: 'ssh' },
    [Symbol.asyncDispose]: files.remove,
  }
}

async function writePrivateFiles(
  contents: Record<string, string | undefined>,
): Promise<{ paths: Map<string, string>; remove: () => Promise<void> }> {
  const paths = new Map<string, string>()
  const given = Object.entries(contents).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (given.length === 0) return { paths, remove: nothing }
  // The next one removes what a process leaves that is killed, as there are private keys in it.
  const { openOwnedDirectory } = await import('@wadi/containment/owned-directory.ts')
  const owned = await openOwnedDirectory('wadi-git-')
  const directory = owned.path
  const remove = async (): Promise<void> => {
    await owned[Symbol.asyncDispose]()
  }
  try {
    // git hands GIT_SSH_COMMAND to a shell and ssh expands %: only a path of plain characters is safe there.
    if (!/^[\w./-]+$/.test(directory)) {
      throw new FailedPreconditionError('TMPDIR must be a path of letters, digits, ".", "_", "-" and "/"')
    }
    await chmod(directory, 0o700)
    for (const [name, content] of given) {
      const file = path.join(directory, name)
      await writeFile(file, content, { mode: 0o600, flag: 'wx' })
      paths.set(name, file)
    }
    return { paths, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the part of credentials that is about the way to a server and not about who asks. */
export function withoutSignIn(credentials: GitCredentials): GitCredentials {
  const {
    username: _name,
    password: _password,
    bearerToken: _token,
    sshPrivateKey: _key,
    advice: _advice,
    ...way
  } = credentials
  const { tlsClientCertificate: _certificate, tlsClientKey: _clientKey, ...rest } = way
  return rest
}

/** Hides every secret of the credentials in a text, in each form in which git might print it. */
export function scrub(text: string, credentials: GitCredentials | undefined): string {
  return redactor(credentials === undefined ? [] : secretsOf(credentials))(text)
}

function secretsOf(credentials: GitCredentials): string[] {
  const { username, password, bearerToken, sshPrivateKey, tlsClientKey, proxy } = credentials
  const secrets = [password, bearerToken, basicToken(credentials)]
  // A user name without a password is how some forges take a token.
  if (!password) secrets.push(username)
  for (const key of [sshPrivateKey, tlsClientKey]) {
    secrets.push(...(key ?? '').split(/\r?\n/).filter((line) => line.length > 8 && !line.startsWith('-----')))
  }
  const proxyUser = /^[a-z0-9]+:\/\/([^/@]+)@/i.exec(proxy ?? '')?.[1]
  secrets.push(proxyUser, ...(proxyUser?.split(':').slice(1) ?? []))
  return secrets.filter((secret): secret is string => secret !== undefined)
}
