import { create } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type {
  RepoCredsCreateRequest,
  RepoCredsDeleteRequest,
  RepoCredsQuery,
  RepoCredsService,
} from '@wadi/protocol/gen/argocd/repocreds/repocreds_pb.ts'
import {
  DeleteRepositoryRequestSchema,
  ListRepositoriesRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { repositoryRoutes } from '../routes/repositories.ts'
import { credentialsOnTheWire } from './repository-on-the-wire.ts'
import { repositoryRequest } from './repository-request.ts'
import { unsupported } from './unsupported.ts'

const noUpdate = unsupported(
  'stored credentials are changed by storing them again: `argocd repocreds add URL --upsert`',
)

/** Argo CD's RepoCredsService over the gateway's RepositoryService. */
export function argocdRepositoryCredentials(context: GatewayContext): ServiceImpl<typeof RepoCredsService> {
  const reading = operations(context, false)
  const writing = operations(context, true)
  return {
    listRepositoryCredentials: reading.list,
    listWriteRepositoryCredentials: writing.list,
    createRepositoryCredentials: reading.create,
    createWriteRepositoryCredentials: writing.create,
    deleteRepositoryCredentials: reading.remove,
    deleteWriteRepositoryCredentials: writing.remove,
    updateRepositoryCredentials: noUpdate,
    updateWriteRepositoryCredentials: noUpdate,
  }
}

/** Returns the operations on credentials, for reading or for writing. */
function operations(context: GatewayContext, write: boolean) {
  const stored = async (url: string, call: HandlerContext) => {
    const request = create(ListRepositoriesRequestSchema, { write })
    const { repositories } = await repositoryRoutes(context).listRepositories(request, call)
    const wanted = normalizeRepositoryUrl(url)
    return repositories.filter(({ repoUrl }) => url === '' || normalizeRepositoryUrl(repoUrl) === wanted)
  }
  return {
    list: async ({ url }: RepoCredsQuery, call: HandlerContext) => {
      const found = (await stored(url, call)).filter(({ isPrefix }) => isPrefix)
      return { metadata: {}, items: found.map(credentialsOnTheWire) }
    },
    create: async ({ creds, upsert }: RepoCredsCreateRequest, call: HandlerContext) => {
      if (!creds) throw new InvalidInputError('the request has no credentials')
      const request = repositoryRequest(creds.url, creds, { write, isPrefix: true, upsert })
      const { repository } = await repositoryRoutes(context).createRepository(request, call)
      return repository ? credentialsOnTheWire(repository) : {}
    },
    remove: async ({ url }: RepoCredsDeleteRequest, call: HandlerContext) => {
      if (url === '') throw new InvalidInputError('url of the credentials is required')
      const found = await stored(url, call)
      const credentials = found.find(({ isPrefix }) => isPrefix)
      if (!credentials) throw new NotFoundError(`credentials for ${redactUrl(url)} are not stored`)
      const { project } = credentials
      if (found.some((repository) => !repository.isPrefix && repository.project === project)) {
        throw new FailedPreconditionError(
          `a repository with the URL ${redactUrl(url)} is stored too; remove it first: argocd repo rm ${redactUrl(url)}`,
        )
      }
      const request = create(DeleteRepositoryRequestSchema, { repoUrl: url, project, write })
      await repositoryRoutes(context).deleteRepository(request, call)
      return {}
    },
  }
}
