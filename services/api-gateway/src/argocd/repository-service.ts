import { create } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type {
  RepoAccessQuery,
  RepoCreateRequest,
  RepoQuery,
  RepositoryService,
} from '@wadi/protocol/gen/argocd/repository/repository_service_pb.ts'
import {
  DeleteRepositoryRequestSchema,
  ListRepositoriesRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { Repository as StoredRepository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { GatewayContext } from '../context.ts'
import { checkRepository } from '../repositories/check-repository.ts'
import { repositoryRoutes } from '../routes/repositories.ts'
import { repositoryOnTheWire } from './repository-on-the-wire.ts'
import { repositoryRequest } from './repository-request.ts'
import { unsupported } from './unsupported.ts'

const noUpdate = unsupported(
  'a stored repository is changed by storing it again: `argocd repo add URL --upsert`, or `wadi repo add URL --upsert`',
)
const noBrowsing = unsupported(
  'Wadi does not browse repositories; `wadi app params NAME` lists the parameters of an Application',
)

/** Argo CD's RepositoryService over the gateway's own. */
export function argocdRepositories(context: GatewayContext): ServiceImpl<typeof RepositoryService> {
  const reading = operations(context, false)
  const writing = operations(context, true)
  return {
    listRepositories: reading.list,
    list: reading.list,
    listWriteRepositories: writing.list,
    get: reading.get,
    getWrite: writing.get,
    createRepository: reading.create,
    create: reading.create,
    createWriteRepository: writing.create,
    deleteRepository: reading.remove,
    delete: reading.remove,
    deleteWriteRepository: writing.remove,
    validateAccess: reading.validate,
    validateWriteAccess: writing.validate,
    update: noUpdate,
    updateRepository: noUpdate,
    updateWriteRepository: noUpdate,
    listRefs: noBrowsing,
    listOCITags: noBrowsing,
    listApps: noBrowsing,
    getAppDetails: noBrowsing,
    getHelmCharts: noBrowsing,
  }
}

/** Lists the repositories with read credentials of a project that the caller may see. */
export async function repositoriesOfProject(context: GatewayContext, call: HandlerContext, project: string) {
  const all = await storedRepositories(context, call, { write: false, refresh: false })
  return all.filter((repository) => repository.project === project).map(repositoryOnTheWire)
}

/** Returns the operations on repositories, for read or for write credentials. */
function operations(context: GatewayContext, write: boolean) {
  return {
    list: async ({ repo, appProject, forceRefresh }: RepoQuery, call: HandlerContext) => {
      const all = await storedRepositories(context, call, { write, refresh: forceRefresh })
      const items = all.filter(
        ({ repoUrl, project }) =>
          (repo === '' || isSame(repoUrl, repo)) && (appProject === '' || project === appProject),
      )
      return { metadata: {}, items: items.map(repositoryOnTheWire) }
    },
    get: async ({ repo, appProject, forceRefresh }: RepoQuery, call: HandlerContext) => {
      const all = await storedRepositories(context, call, { write, refresh: forceRefresh })
      const named = all.filter(({ repoUrl }) => isSame(repoUrl, repo))
      // Argo CD's command line names no project unless the user does: then the only one there is meant.
      const found =
        named.find(({ project }) => project === appProject) ??
        (appProject === '' && named.length === 1 ? named[0] : undefined)
      if (!found) throw new NotFoundError(`repository ${redactUrl(repo)} is not stored`)
      return repositoryOnTheWire(found)
    },
    create: async ({ repo, upsert, credsOnly }: RepoCreateRequest, call: HandlerContext) => {
      if (!repo) throw new InvalidInputError('the request has no repository')
      if (credsOnly) {
        throw new InvalidInputError(
          'credentials for all repositories below a URL are stored with `argocd repocreds add`',
        )
      }
      const request = repositoryRequest(repo.repo, repo, { write, upsert })
      const { repository } = await repositoryRoutes(context).createRepository(request, call)
      return repository ? repositoryOnTheWire(repository) : {}
    },
    remove: async ({ repo, appProject }: RepoQuery, call: HandlerContext) => {
      const all = await storedRepositories(context, call, { write, refresh: false })
      // The gateway's own service would take credentials for all repositories below the URL when there is no repository.
      if (!all.some(({ repoUrl, project }) => isSame(repoUrl, repo) && project === appProject)) {
        throw new NotFoundError(`repository ${redactUrl(repo)} is not stored`)
      }
      const request = create(DeleteRepositoryRequestSchema, { repoUrl: repo, project: appProject, write })
      await repositoryRoutes(context).deleteRepository(request, call)
      return {}
    },
    validate: async (query: RepoAccessQuery, call: HandlerContext) => {
      await checkRepository(context)(repositoryRequest(query.repo, query, { write }), call)
      return {}
    },
  }
}

async function storedRepositories(
  context: GatewayContext,
  call: HandlerContext,
  selection: { write: boolean; refresh: boolean },
): Promise<StoredRepository[]> {
  const request = create(ListRepositoriesRequestSchema, selection)
  const { repositories } = await repositoryRoutes(context).listRepositories(request, call)
  return repositories.filter(({ isPrefix }) => !isPrefix)
}

function isSame(url: string, wanted: string): boolean {
  return normalizeRepositoryUrl(url) === normalizeRepositoryUrl(wanted)
}
