import { join, resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { followPolicy } from '@wadi/rbac/live-policy.ts'
import { openSqliteStore } from '@wadi/resources/sqlite-store.ts'
import { connectTo, openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { createAuthorization } from './authorization/authorization.ts'
import { readAdminToken } from './authentication/admin-token.ts'
import { requireToken } from './authentication/require-token.ts'
import type { GatewayContext } from './context.ts'
import { applicationSetRoutes } from './routes/application-sets.ts'
import { applyResource } from './routes/apply-resource.ts'
import { createApplication } from './routes/create-application.ts'
import { deleteApplication } from './routes/delete-application.ts'
import { getApplication } from './routes/get-application.ts'
import { getManifests } from './routes/get-manifests.ts'
import { getParameters } from './routes/get-parameters.ts'
import { getVersion } from './routes/get-version.ts'
import { hydrateApplication } from './routes/hydrate-application.ts'
import { listApplications } from './routes/list-applications.ts'
import { listHistory } from './routes/list-history.ts'
import { getPlugin, listPlugins } from './routes/plugins.ts'
import { createRepository, deleteRepository, listRepositories } from './routes/repositories.ts'
import { setParameters } from './routes/set-parameters.ts'
import { updateApplication } from './routes/update-application.ts'
import { watchApplications } from './routes/watch-applications.ts'
import type { ApiGatewaySettings } from './settings.ts'
import { answerWebhook } from './webhooks/answer-webhook.ts'

/** Starts the API gateway; disposal drains it and closes what it holds. */
export async function startApiGateway(settings: ApiGatewaySettings): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('api-gateway', settings)
  const dataDirectory = resolve(settings.dataDirectory)
  const token = await readAdminToken(settings.adminToken, join(dataDirectory, 'admin.token'))
  const store = owned.use(openSqliteStore({ file: settings.stateFile ?? join(dataDirectory, 'state.db') }))
  const policy = owned.use(
    await followPolicy(store, (fault) => base.logger.error({ fault }, 'the policy cannot be read')),
  )
  const context: GatewayContext = {
    store,
    policy,
    authorization: createAuthorization(policy),
    hydrator: owned.use(await connectTo(base, HydratorService, 'hydrator', settings.hydrators)),
    repoServer: owned.use(await connectTo(base, RepoServerService, 'repo-server', settings.repoServers)),
    commitServer: owned.use(
      await connectTo(base, CommitServerService, 'commit-server', settings.commitServers),
    ),
    appsetService: owned.use(await connectTo(base, AppsetService, 'appset-service', settings.appsetServices)),
    logger: base.logger,
  }
  return serve(base, {
    services: [
      ApplicationService,
      ApplicationSetService,
      PluginService,
      RepositoryService,
      ResourceService,
      VersionService,
    ],
    routes: (router, draining) => {
      router.service(ApplicationService, applicationRoutes(context, draining))
      router.service(ApplicationSetService, applicationSetRoutes(context))
      router.service(PluginService, {
        listPlugins: listPlugins(context),
        getPlugin: getPlugin(context),
      } satisfies ServiceImpl<typeof PluginService>)
      router.service(RepositoryService, repositoryRoutes(context))
      router.service(ResourceService, { applyResource: applyResource(context) } satisfies ServiceImpl<
        typeof ResourceService
      >)
      router.service(VersionService, { getVersion } satisfies ServiceImpl<typeof VersionService>)
    },
    owned: owned.move(),
    authenticate: [requireToken(token)],
    httpRoutes: answerWebhook(context),
  })
}

function applicationRoutes(
  context: GatewayContext,
  draining: AbortSignal,
): ServiceImpl<typeof ApplicationService> {
  return {
    listApplications: listApplications(context),
    getApplication: getApplication(context),
    createApplication: createApplication(context),
    updateApplication: updateApplication(context),
    deleteApplication: deleteApplication(context),
    watchApplications: watchApplications(context, draining),
    hydrateApplication: hydrateApplication(context),
    getManifests: getManifests(context),
    listHistory: listHistory(context),
    getParameters: getParameters(context),
    setParameters: setParameters(context),
  }
}

function repositoryRoutes(context: GatewayContext): ServiceImpl<typeof RepositoryService> {
  return {
    createRepository: createRepository(context),
    listRepositories: listRepositories(context),
    deleteRepository: deleteRepository(context),
  }
}
