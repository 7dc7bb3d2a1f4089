import { apiBase } from '@wadi/forges/forge-address.ts'
import { forgeApi } from '@wadi/forges/forge-api.ts'
import { noForge } from '@wadi/forges/forge.ts'
import type { PullRequestForge } from '@wadi/forges/pull-requests/pull-request-forge.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'
import type { CommitServerContext } from '../context.ts'
import { repositoryForge } from './repository-forge.ts'

/** A repository as one project reaches it. */
interface AskedRepository {
  repoUrl: string
  project: string
}

/** A repository of a forge, ready to be asked. */
interface OpenedForge {
  name: string
  /** Its path in the forge. */
  repository: string
  forge: PullRequestForge
  /** The URL that the used credentials are stored for. */
  stored: AskedRepository
}

/**
 * The forge of a repository, with the write credentials of the repository. Hosts that an operator stored may be in a private network, as
 * for git.
 * @throws FailedPreconditionError with the code `no-forge` when there is no forge or no token for it
 */
export async function useForge(
  { repositories, forges }: Pick<CommitServerContext, 'repositories' | 'forges'>,
  { repoUrl, project }: AskedRepository,
  signal: AbortSignal,
): Promise<OpenedForge> {
  const secret = selectSecret(await repositories.list(), repoUrl, project)
  if (!secret) throw noForge(`no write credentials are stored for ${redactUrl(repoUrl)}`)
  const { forge, api, repository } = repositoryForge(repoUrl, secret)
  const base = apiBase(forge, api, { address: `Secret ${secret.name}: forgeUrl`, token: 'forgeToken' })
  const { values } = secret
  const token = await tokenOf(repositories, secret, signal)
  const login = {
    forge,
    base,
    ...(forge.account?.(values, token) ?? { token }),
    way: await repositories.wayBeside(secret, base.href),
    mayBeInner: true,
    words: wordsOf(repositories.named(secret)),
  }
  return {
    name: forge.name,
    repository,
    forge: await forge.open(forgeApi(forges, login, signal), repository),
    stored: { repoUrl: secret.url, project: secret.project },
  }
}

async function tokenOf(
  repositories: CommitServerContext['repositories'],
  secret: RepositorySecret,
  signal: AbortSignal,
): Promise<string> {
  const { values, name } = secret
  if (values['forgeToken']) return values['forgeToken']
  const { bearerToken, password } = await repositories.credentialsOf(secret, signal)
  const token = bearerToken ?? password
  if (token !== undefined) return token
  throw noForge(
    `Secret ${name} has no token, which the API of the forge needs beside a key for git; add one as forgeToken`,
  )
}

/** @param secret its name and namespace */
function wordsOf(secret: string) {
  return {
    missing: `add a token to ${secret}`,
    rejected: `replace that of ${secret}`,
    forbidden: `the token of ${secret} has no right to do this`,
    limited: `Wadi goes on by itself then`,
    other: `check forge and forgeUrl of ${secret}`,
  }
}
