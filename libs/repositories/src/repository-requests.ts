import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { withOthersOf } from './kept-fields.ts'
import type { MirrorPool } from './mirror-pool.ts'
import { credentialKind } from './repository-credentials.ts'
import { isPrefixType, repositorySecretWarnings, type RepositorySecret } from './repository-secret.ts'
import type { RepositoryStore } from './repository-store.ts'

/** The time limit of a repository of charts. */
const maxCheckMs = 60_000

/** A stored repository as users see it; its fields are those of the `Repository` message. */
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
  version: string
}

/** The context of the requests below. */
export interface RepositoryContext {
  repositories: RepositoryStore
  mirrors: MirrorPool
  /** Reaches a repository of charts, where this service reads charts; throws what is wrong with it. */
  checkCharts?: (url: string, project: string, signal: AbortSignal) => Promise<void>
}

/** A request to store a Secret with credentials. */
interface PutRequest {
  secretJson: string
  skipValidation: boolean
  upsert: boolean
  /** Keeps what is stored beside how the repository is signed in to. */
  keepOthers: boolean
}

/** A request to forget a repository and its credentials. */
interface DeleteRequest {
  repoUrl: string
  project: string
  version: string
  isPrefix: boolean
}

/** The RPCs by which the gateway manages the repositories of a service with credentials. */
export function repositoryRoutes(context: RepositoryContext) {
  const { repositories } = context
  return {
    putRepository: async (request: PutRequest) => ({
      repository: await putRepository(context, request),
    }),
    /** Stores which servers are trusted, unless a cluster is where this service reads that. */
    async putServerTrust({ configMapJson }: { configMapJson: string }) {
      await repositories.putTrust(readObject(configMapJson, 'ConfigMap', 'config_map_json'))
      return {}
    },
    listRepositories: async ({ refresh }: { refresh: boolean }) => ({
      repositories: await listRepositories(context, refresh),
    }),
    async deleteRepository({ repoUrl, project, version, isPrefix }: DeleteRequest) {
      await repositories.delete(repoUrl, project, version, isPrefix)
      return {}
    },
  }
}

/**
 * Stores a repository. Its remote is reached with the new credentials first, unless the caller skips that or the
 * credentials are for all repositories below a URL; what does not work is not stored.
 * @throws what reaching the remote throws
 * @internal
 */
export async function putRepository(
  context: RepositoryContext,
  request: PutRequest,
): Promise<RepositoryView> {
  const sent = readObject(request.secretJson, 'Secret', 'secret_json')
  const { repositories } = context
  const stored = request.keepOthers ? await repositories.stored(sent.metadata.name) : undefined
  const resource = stored ? withOthersOf(sent, stored) : sent
  const wanted = await repositories.check(resource, request.upsert)
  if (!request.skipValidation && !isPrefixType(wanted.type)) {
    await repositories.try(wanted, () => reachRepository(context, wanted))
  }
  return view(await repositories.put(resource), true, '')
}

/** Reaches the remote of a repository. @throws what that throws */
export async function reachRepository(
  context: Pick<RepositoryContext, 'mirrors' | 'checkCharts'>,
  { url, project, values }: Pick<RepositorySecret, 'url' | 'project' | 'values'>,
  signal?: AbortSignal,
): Promise<void> {
  if (isOfGit({ values })) {
    using lease = await context.mirrors.lease(url, project)
    await lease.mirror.listRemote(signal)
  } else await context.checkCharts?.(url, project, signal ?? AbortSignal.timeout(maxCheckMs))
}

/** Lists the stored repositories; with `refresh` each remote is reached. @internal */
export async function listRepositories(
  context: RepositoryContext,
  refresh: boolean,
): Promise<RepositoryView[]> {
  const secrets = await context.repositories.list()
  return Promise.all(
    secrets.map(async (secret) => {
      if (!refresh || isPrefixType(secret.type)) return view(secret, true, '')
      try {
        await reachRepository(context, secret)
        return view(secret, true, '')
      } catch (error) {
        return view(secret, false, errorMessage(error))
      }
    }),
  )
}

/** Returns whether a Secret is that of a git repository, and not of charts. */
function isOfGit({ values }: Pick<RepositorySecret, 'values'>): boolean {
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
    version: secret.version ?? '',
  }
}

function readObject(text: string, kind: string, field: string): Resource {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message would quote the text, which may hold secrets.
    throw new InvalidInputError(`${field} is not valid JSON`)
  }
  if (value === null || typeof value !== 'object' || !('kind' in value) || value.kind !== kind) {
    throw new InvalidInputError(`${field} is not a ${kind}`)
  }
  return checkedResource(value)
}
