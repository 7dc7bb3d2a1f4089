import type { HandlerContext } from '@connectrpc/connect'
import { AlreadyExistsError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { DeleteRepositoryRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { isPrefixType, isWriteType, readRepositorySecret } from '@wadi/repositories/repository-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { repositoryObject } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'
import { notifyHydrator } from './notify-hydrator.ts'

type RepositoryContext = Pick<
  GatewayContext,
  'authorization' | 'repoServer' | 'commitServer' | 'hydrator' | 'logger'
>

type WantedRepository = Pick<DeleteRepositoryRequest, 'repoUrl' | 'write' | 'project' | 'isPrefix'>

/** Options of storing credentials. */
interface PutOptions {
  /** Stores them without reaching the remote. */
  skipValidation: boolean
  /** Replaces stored ones that differ; otherwise that is an error. */
  upsert: boolean
  /** Keeps what is stored beside the credentials. */
  keepOthers?: boolean
  /** Tells what would be refused and stores nothing. */
  dryRun?: boolean
}

/** Lists the repositories with read or with write credentials that the caller may see. */
export async function visibleRepositories(
  context: RepositoryContext,
  call: HandlerContext,
  { write, refresh }: { write: boolean; refresh: boolean },
): Promise<Repository[]> {
  return (await allRepositories(context, call, write, refresh)).filter((repository) => {
    const { resource, object } = repositoryObject(write, repository)
    return context.authorization.allows(call, resource, 'get', object)
  })
}

/**
 * Finds the credentials of a repository or, when none has this very URL or with `isPrefix`, those for all repositories
 * below it. What the caller may not see is reported as not stored.
 * @throws NotFoundError
 */
export async function findRepository(
  context: RepositoryContext,
  call: HandlerContext,
  { repoUrl, write, project, isPrefix }: WantedRepository,
): Promise<Repository> {
  const wanted = normalizeRepositoryUrl(repoUrl)
  const all = await allRepositories(context, call, write, false)
  const candidates = all.filter(
    (repository) => normalizeRepositoryUrl(repository.repoUrl) === wanted && repository.project === project,
  )
  const exact = isPrefix ? undefined : candidates.find((repository) => !repository.isPrefix)
  const found = exact ?? candidates.find((repository) => repository.isPrefix)
  const { resource, object } = repositoryObject(write, found ?? { repoUrl, project })
  if (!found || !context.authorization.allows(call, resource, 'get', object)) {
    throw new NotFoundError(`repository ${redactUrl(repoUrl)} is not stored`)
  }
  return found
}

/**
 * Hands a Secret with credentials to the service that may hold them, once it is known that the caller may store it and
 * that it replaces nothing but what the caller was asked about. Returns what is stored; undefined after a dry run.
 * @throws InvalidInputError, PermissionDeniedError, AlreadyExistsError and what reaching the remote throws
 */
export async function putRepository(
  context: RepositoryContext,
  call: HandlerContext,
  secret: Resource,
  { skipValidation, upsert, keepOthers = false, dryRun }: PutOptions,
): Promise<Repository | undefined> {
  const { name, url: repoUrl, project, type } = readRepositorySecret(secret)
  const write = isWriteType(type)
  const wanted = normalizeRepositoryUrl(repoUrl)
  const stored = (await allRepositories(context, call, write, false)).find(
    (repository) =>
      normalizeRepositoryUrl(repository.repoUrl) === wanted &&
      repository.project === project &&
      repository.isPrefix === isPrefixType(type),
  )
  const asked = repositoryObject(write, { repoUrl, project })
  requireStoreRight(context, call, asked, stored && repositoryObject(write, stored), upsert)
  if (dryRun) return undefined
  const put = {
    secretJson: JSON.stringify(secret),
    skipValidation,
    // A Secret of this name may be of another repository, which the caller was not asked about.
    upsert: upsert && stored !== undefined,
    keepOthers: keepOthers && upsert && stored !== undefined,
  }
  const { signal } = call
  try {
    const { repository } = await credentialsOwner(context, write).putRepository(put, { signal })
    await notifyHydrator(context)
    return repository
  } catch (error) {
    if (!(error instanceof AlreadyExistsError) || stored) throw error
    throw new AlreadyExistsError(
      `Secret ${name} holds another repository; choose another name, or delete that repository first`,
      { cause: error },
    )
  }
}

/** The service that holds the read or the write credentials: each kind is in one service alone. */
export function credentialsOwner(
  { repoServer, commitServer }: Pick<GatewayContext, 'repoServer' | 'commitServer'>,
  write: boolean,
) {
  return write ? commitServer : repoServer
}

async function allRepositories(
  context: RepositoryContext,
  { signal }: HandlerContext,
  write: boolean,
  refresh: boolean,
): Promise<Repository[]> {
  const { repositories } = await credentialsOwner(context, write).listRepositories({ refresh }, { signal })
  return repositories
}
