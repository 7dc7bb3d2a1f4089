import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { MirrorPool } from './mirror-pool.ts'
import { credentialKind } from './repository-credentials.ts'
import { isPrefixType, repositorySecretWarnings, type RepositorySecret } from './repository-secret.ts'
import type { RepositoryStore } from './repository-store.ts'

/** What users see of a stored repository; its fields are those of the `Repository` message. */
export interface RepositoryView {
  repoUrl: string
  name: string
  project: string
  username: string
  credentials: string
  insecure: boolean
  isPrefix: boolean
  reachable: boolean
  message: string
  warnings: string[]
}

/** What the requests below work with. */
export interface RepositoryContext {
  repositories: RepositoryStore
  mirrors: MirrorPool
}

/** A request to store a Secret with credentials. */
interface PutRequest {
  secretJson: string
  skipValidation: boolean
  upsert: boolean
}

/**
 * Stores a repository. Its remote is reached with the new credentials first, unless the caller skips that, the
 * credentials are for all repositories below a URL or the repository is one of charts; what does not work is taken back.
 * @throws what reaching the remote throws
 */
export async function putRepository(
  context: RepositoryContext,
  request: PutRequest,
): Promise<RepositoryView> {
  const resource = readSecret(request.secretJson)
  const { repositories, mirrors } = context
  const { url, project, type } = await repositories.check(resource, request.upsert)
  const before = (await repositories.list()).find((secret) => secret.name === resource.metadata.name)
  const stored = await repositories.put(resource)
  if (!request.skipValidation && !isPrefixType(type) && isOfGit(stored)) {
    try {
      const mirror = await mirrors.open(url, project)
      await mirror.listRemote()
    } catch (error) {
      if (before) await repositories.restore(before)
      else await repositories.delete(url, project)
      throw error
    }
  }
  return view(stored, true, '')
}

/** Lists the stored repositories; with `refresh` each remote is reached. */
export async function listRepositories(
  context: RepositoryContext,
  refresh: boolean,
): Promise<RepositoryView[]> {
  const secrets = await context.repositories.list()
  return Promise.all(
    secrets.map(async (secret) => {
      if (!refresh || isPrefixType(secret.type) || !isOfGit(secret)) return view(secret, true, '')
      try {
        const mirror = await context.mirrors.open(secret.url, secret.project)
        await mirror.listRemote()
        return view(secret, true, '')
      } catch (error) {
        return view(secret, false, errorMessage(error))
      }
    }),
  )
}

/** Whether a Secret is that of a git repository; those of charts are reached when a chart is read. */
function isOfGit({ values }: RepositorySecret): boolean {
  return ['', 'git', undefined].includes(values.type) && values.enableOCI !== 'true'
}

function view(secret: RepositorySecret, reachable: boolean, message: string): RepositoryView {
  const { url, project, values } = secret
  return {
    repoUrl: url,
    name: values.name ?? '',
    project,
    username: values.username ?? '',
    credentials: credentialKind(secret),
    insecure: values.insecure === 'true',
    isPrefix: isPrefixType(secret.type),
    reachable,
    message,
    warnings: repositorySecretWarnings(secret),
  }
}

function readSecret(text: string): Resource {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message would quote the text, which holds secrets.
    throw new InvalidInputError('secret_json is not valid JSON')
  }
  if (value === null || typeof value !== 'object' || !('kind' in value) || value.kind !== 'Secret') {
    throw new InvalidInputError('secret_json is not a Secret')
  }
  return checkedResource(value)
}
