import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { repositoryRoute } from '@wadi/repositories/repository-route.ts'
import { connectTo, type ServiceBase } from '@wadi/rpc/service-base.ts'
import type { ReviewContext } from './review/review-pull-request.ts'
import type { HydratorSettings } from './settings.ts'

/** Connects to the services that runs call. */
export async function connectServices(
  base: ServiceBase,
  settings: HydratorSettings,
  owned: AsyncDisposableStack,
): Promise<Pick<ReviewContext, 'repoServer' | 'commitServer' | 'forges'>> {
  const { repoServers, commitServers } = settings
  const repoServer = await connectTo(base, RepoServerService, 'repo-server', repoServers, repositoryRoute)
  owned.use(repoServer)
  const commitServer = await connectTo(
    base,
    CommitServerService,
    'commit-server',
    commitServers,
    repositoryRoute,
  )
  owned.use(commitServer)
  const forges = await connectTo(base, ForgeService, 'commit-server', commitServers, repositoryRoute)
  owned.use(forges)
  return { repoServer, commitServer, forges }
}
