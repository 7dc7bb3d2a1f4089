import type { ServiceImpl } from '@connectrpc/connect'
import { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { logOutages } from '@wadi/repositories/outages.ts'
import { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import { openServiceRepositories } from '@wadi/repositories/service-repositories.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import { BranchStates } from './branch/branch-states.ts'
import type { CommitServerContext } from './context.ts'
import { createCommitServerEvents } from './events.ts'
import { commitFiles } from './routes/commit-files.ts'
import { commitManifests } from './routes/commit-manifests.ts'
import { getBranch } from './routes/get-branch.ts'
import { getManifests } from './routes/get-manifests.ts'
import { listBranchHeads } from './routes/list-branch-heads.ts'
import { listHistory } from './routes/list-history.ts'
import { restoreBranch } from './routes/restore-branch.ts'
import { deleteRepository } from './routes/delete-repository.ts'
import { listRepositories } from './routes/list-repositories.ts'
import { putRepository } from './routes/put-repository.ts'
import type { CommitServerSettings } from './settings.ts'

/** Starts commit-server; disposal drains it and closes what it holds. */
export async function startCommitServer(settings: CommitServerSettings): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('commit-server', settings)
  const { repositories, mirrors } = owned.use(
    await openServiceRepositories('commit-server', settings, 'write'),
  )
  const context: CommitServerContext = {
    repositories,
    mirrors,
    trees: new TreeCache(),
    branches: new BranchStates(),
    remoteRefs: new RemoteRefsCache(0, logOutages(base.logger)),
    events: createCommitServerEvents(base.logger, base.metrics),
    maxCommitBytes: settings.maxCommitSize,
  }
  return serve(base, {
    services: [CommitServerService],
    routes: (router) => router.service(CommitServerService, commitServerRoutes(context)),
    owned: owned.move(),
  })
}

function commitServerRoutes(context: CommitServerContext): ServiceImpl<typeof CommitServerService> {
  return {
    getBranch: getBranch(context),
    listBranchHeads: listBranchHeads(context),
    restoreBranch: restoreBranch(context),
    commitManifests: commitManifests(context),
    commitFiles: commitFiles(context),
    getManifests: getManifests(context),
    listHistory: listHistory(context),
    putRepository: putRepository(context),
    listRepositories: listRepositories(context),
    deleteRepository: deleteRepository(context),
  }
}
