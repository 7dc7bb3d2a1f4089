import type { ServiceImpl } from '@connectrpc/connect'
import { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { logOutages } from '@wadi/repositories/outages.ts'
import { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import { openServiceRepositories } from '@wadi/repositories/service-repositories.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import type { CommitServerContext } from './context.ts'
import { createCommitServerEvents } from './events.ts'
import { RepositoryWriters } from './push/repository-writers.ts'
import { closePullRequest } from './routes/close-pull-request.ts'
import { commitFiles } from './routes/commit-files.ts'
import { commitManifests } from './routes/commit-manifests.ts'
import { commitUnchanged } from './routes/commit-unchanged.ts'
import { compareBranches } from './routes/compare-branches.ts'
import { getBranch } from './routes/get-branch.ts'
import { getBranches } from './routes/get-branches.ts'
import { getCommitStatus } from './routes/get-commit-status.ts'
import { getDirectories } from './routes/get-directories.ts'
import { getManifests } from './routes/get-manifests.ts'
import { listBranchHeads } from './routes/list-branch-heads.ts'
import { listHistory } from './routes/list-history.ts'
import { restoreBranch } from './routes/restore-branch.ts'
import { listPullRequests } from './routes/list-pull-requests.ts'
import { reopenPullRequest } from './routes/reopen-pull-request.ts'
import { putPullRequest } from './routes/put-pull-request.ts'
import { ForgeFailures } from './forges/forge-failures.ts'
import { putPullRequestReview } from './routes/put-pull-request-review.ts'
import { writtenRepositoryRoutes } from './routes/written-repositories.ts'
import { openSigning } from './signing.ts'
import { type CommitServerSettings, commitServerSettings } from './settings.ts'

/** Time limit of one call to a forge, and of all pauses for one answer: a longer rate limit is the caller's to wait for. */
const forgePatience = { waitMs: 2_000, answerMs: 20_000 }

/**
 * Starts commit-server; disposal drains it and closes what it holds.
 * @param signal ends a start that waits for the cluster
 */
export async function startCommitServer(
  settings: CommitServerSettings,
  signal?: AbortSignal,
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('commit-server', settings)
  const { writeCredentialsNamespace: namespace } = settings
  const { repositories, mirrors, wholeCopies, warning } = owned.use(
    await openServiceRepositories(base, settings, {
      purpose: 'write',
      ...(namespace !== undefined && { namespace }),
      signal,
    }),
  )
  const signing = owned.use(await openSigning(settings, base.logger))
  const context = commitServerContext(base, settings, { repositories, mirrors, signing })
  return await serve(base, {
    services: [CommitServerService, ForgeService],
    routes: (router) => {
      router.service(CommitServerService, commitServerRoutes(context))
      router.service(ForgeService, forgeRoutes(context))
    },
    warnings: { repositories: warning, signing: () => context.signing?.warning() },
    diagnosed: {
      definition: commitServerSettings,
      diagnose: async (request, ended) => {
        const { diagnoseCommitServer } = await import('./diagnostics/diagnose-commit-server.ts')
        return diagnoseCommitServer(context, wholeCopies, request, ended)
      },
    },
    owned: owned.move(),
  })
}

/** The context of a commit-server that has just started. */
export function commitServerContext(
  { logger, metrics }: Pick<ServiceBase, 'logger' | 'metrics'>,
  { attestations, maxCommitSize }: Pick<CommitServerSettings, 'attestations' | 'maxCommitSize'>,
  opened: Pick<CommitServerContext, 'repositories' | 'mirrors' | 'signing'>,
): CommitServerContext {
  // A record is read, and not the manifests beside it.
  const trees = new TreeCache({ fetchesBeside: false })
  return {
    ...opened,
    trees,
    forges: new ForgeClient(forgePatience),
    forgeFailures: new ForgeFailures(),
    writers: new RepositoryWriters(trees),
    remoteRefs: new RemoteRefsCache(0, logOutages(logger)),
    events: createCommitServerEvents(logger, metrics),
    attests: attestations,
    maxCommitBytes: maxCommitSize,
  }
}

/** The RPCs about hydrated branches and their repositories. */
export function commitServerRoutes(context: CommitServerContext): ServiceImpl<typeof CommitServerService> {
  return {
    getBranch: getBranch(context),
    getBranches: getBranches(context),
    listBranchHeads: listBranchHeads(context),
    restoreBranch: restoreBranch(context),
    commitManifests: commitManifests(context),
    commitUnchanged: commitUnchanged(context),
    commitFiles: commitFiles(context),
    compareBranches: compareBranches(context),
    getManifests: getManifests(context),
    getDirectories: getDirectories(context),
    listHistory: listHistory(context),
    ...writtenRepositoryRoutes(context),
  }
}

export function forgeRoutes(context: CommitServerContext): ServiceImpl<typeof ForgeService> {
  return {
    listPullRequests: listPullRequests(context),
    putPullRequestReview: putPullRequestReview(context),
    getCommitStatus: getCommitStatus(context),
    putPullRequest: putPullRequest(context),
    closePullRequest: closePullRequest(context),
    reopenPullRequest: reopenPullRequest(context),
  }
}
