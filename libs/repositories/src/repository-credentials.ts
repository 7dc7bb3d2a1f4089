import { byName } from '@wadi/order/by-name.ts'
import type { GitCredentials } from '@wadi/git/remote/credentials.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import type { InstallationToken } from './github-app-token.ts'
import { isPrefixType, type RepositorySecret } from './repository-secret.ts'

const tokens = new WeakMap<RepositorySecret, InstallationToken>()
const renewBeforeMs = 5 * 60_000
/** Secrets with what they borrow, so that a token of a GitHub App is kept with the same object. */
const borrowers = new WeakMap<RepositorySecret, WeakMap<RepositorySecret, RepositorySecret>>()
/** By what a Secret signs in, as in Argo CD: one without any of them takes those of a URL above it. */
const signInFields = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'githubAppPrivateKey',
]
const ownFields = ['url', 'name', 'project']

/**
 * The Secret whose credentials are used for a repository, the same for any order of the list: one for exactly this
 * repository before one for a URL above it (the longest first), and the project's own before one for all projects. One for exactly this
 * repository that has no credentials borrows those of the next one that has some.
 */
export function selectSecret(
  secrets: readonly RepositorySecret[],
  url: string,
  project: string,
): RepositorySecret | undefined {
  const wanted = normalizeRepositoryUrl(url)
  const rank = (secret: RepositorySecret): number => {
    if (secret.project !== '' && secret.project !== project) return 0
    const own = normalizeRepositoryUrl(secret.url)
    const ofProject = secret.project === '' ? 0 : 1
    if (secret.type === 'repository' || secret.type === 'repository-write') {
      return own === wanted ? 1_000_000 + ofProject : 0
    }
    const above = own.endsWith('/') || wanted === own ? own : `${own}/`
    return wanted.startsWith(above) ? 2 * own.length + ofProject : 0
  }
  const [first, ...others] = secrets
    .map((secret) => ({ secret, rank: rank(secret) }))
    .filter((candidate) => candidate.rank > 0)
    .toSorted((a, b) => b.rank - a.rank || byName(a.secret, b.secret))
    .map(({ secret }) => secret)
  if (!first || isPrefixType(first.type) || hasSignIn(first)) return first
  const lender = others.find((secret) => isPrefixType(secret.type) && hasSignIn(secret))
  return lender ? borrowing(first, lender) : first
}

function hasSignIn({ values }: RepositorySecret): boolean {
  return signInFields.some((field) => (values[field] ?? '') !== '')
}

/** A Secret with what it does not say itself from another; what belongs to a project stays that project's. */
function borrowing(secret: RepositorySecret, lender: RepositorySecret): RepositorySecret {
  const ofSecret = borrowers.getOrInsertComputed(secret, () => new WeakMap())
  return ofSecret.getOrInsertComputed(lender, () => {
    const lent = Object.entries(lender.values).filter(([field]) => !ownFields.includes(field))
    const own = Object.entries(secret.values).filter(([, value]) => value !== '')
    const values = Object.freeze(Object.fromEntries([...lent, ...own]))
    return Object.freeze({ ...secret, project: secret.project || lender.project, values, lender })
  })
}

/**
 * Returns what git needs to use a Secret; a GitHub App's token is requested when none is at hand that lives five more minutes.
 * @param wayTo how the API of a GitHub App is reached, by its address
 */
export async function gitCredentials(
  secret: RepositorySecret,
  { wayTo, signal }: { wayTo?: (url: string) => Promise<ServerWay>; signal?: AbortSignal | undefined } = {},
): Promise<GitCredentials> {
  const credentials = storedCredentials(secret)
  if (!secret.values.githubAppPrivateKey) return credentials
  const { token } = await installationToken(secret, wayTo, signal)
  return { ...credentials, username: 'x-access-token', password: token }
}

/** The parts of a Secret that git needs as they are stored. */
export function storedCredentials({ values }: RepositorySecret): GitCredentials {
  const insecure = values.insecure === 'true'
  return {
    ...(values.username && { username: values.username }),
    ...(values.password && { password: values.password }),
    ...(values.bearerToken && { bearerToken: values.bearerToken }),
    ...(values.sshPrivateKey && { sshPrivateKey: values.sshPrivateKey }),
    ...(values.sshKnownHosts && { sshKnownHosts: values.sshKnownHosts }),
    ...(insecure && { insecureSkipTlsVerify: true }),
    ...((insecure || values.insecureIgnoreHostKey === 'true') && { insecureIgnoreHostKey: true }),
    ...(values.tlsCaCertificate && { tlsCaCertificate: values.tlsCaCertificate }),
    ...(values.tlsClientCertData && { tlsClientCertificate: values.tlsClientCertData }),
    ...(values.tlsClientCertKey && { tlsClientKey: values.tlsClientCertKey }),
    ...(values.proxy && { proxy: values.proxy }),
    ...(values.noProxy && { noProxy: values.noProxy }),
  }
}

/** Which kind of credentials a Secret holds, for people: `none`, `password`, `token`, `ssh-key` or `github-app`. */
export function credentialKind(secret: RepositorySecret): string {
  const { values } = secret
  if (values.githubAppPrivateKey) return 'github-app'
  if (values.sshPrivateKey) return 'ssh-key'
  if (values.bearerToken) return 'token'
  return values.password ? 'password' : 'none'
}

async function installationToken(
  secret: RepositorySecret,
  wayTo: ((url: string) => Promise<ServerWay>) | undefined,
  signal: AbortSignal | undefined,
): Promise<InstallationToken> {
  const known = tokens.get(secret)
  if (known && known.expiresAt - renewBeforeMs > Date.now()) return known
  const { values } = secret
  const apiUrl = (values.githubAppEnterpriseBaseUrl ?? 'https://api.github.com').replace(/\/+$/u, '')
  const way = await wayTo?.(apiUrl)
  const { requestInstallationToken } = await import('./github-app-token.ts')
  const fresh = await requestInstallationToken(
    {
      ...(way && { way }),
      appId: values.githubAppID ?? '',
      installationId: values.githubAppInstallationID ?? values.githubInstallationID ?? '',
      privateKey: values.githubAppPrivateKey ?? '',
      apiUrl,
    },
    signal,
  )
  tokens.set(secret, fresh)
  return fresh
}
