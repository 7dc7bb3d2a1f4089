import type { ServiceImpl } from '@connectrpc/connect'
import { repositoryPages } from '@wadi/forges/forge-pages.ts'
import type { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import { repositoryRoutes } from '@wadi/repositories/repository-requests.ts'
import type { CommitServerContext } from '../context.ts'
import { knownForge } from '../forges/known-forge.ts'

/** The RPCs about the repositories with write credentials. */
export function writtenRepositoryRoutes(context: CommitServerContext) {
  const routes = repositoryRoutes(context)
  return {
    ...routes,
    async listRepositories(request) {
      const { repositories } = await routes.listRepositories(request)
      return {
        repositories: repositories.map((repository) => ({
          ...repository,
          message: repository.message || context.forgeFailures.messageFor(repository),
        })),
      }
    },
    /** Returns where a forge shows what is in a repository; nothing for a forge that is not known. */
    async getRepositoryPages({ repoUrl, project }) {
      const secret = selectSecret(await context.repositories.list(), repoUrl, project)
      return repositoryPages(repoUrl, knownForge(repoUrl, secret)) ?? {}
    },
    /** Lists the public keys of hydrated commits; none where nothing is signed. */
    async listSigningKeys({ project, repoUrl }) {
      const keys = (await context.signing?.list({ project, repoUrl })) ?? []
      return {
        keys: keys.map(({ expiresAt, ...key }) => ({
          ...key,
          expiresAt: expiresAt === undefined ? '' : new Date(expiresAt).toISOString(),
        })),
      }
    },
  } satisfies Partial<ServiceImpl<typeof CommitServerService>>
}
