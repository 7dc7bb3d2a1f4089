import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { openContainment } from '@wadi/containment/containment.ts'
import { pathFolders } from '@wadi/containment/find-program.ts'
import { openOwnedFolder } from '@wadi/containment/owned-folder.ts'
import { protectionSummary } from '@wadi/containment/protection.ts'
import { openCommands } from '@wadi/plugin-client/open-commands.ts'
import { openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import { readPluginVariables } from '@wadi/plugins/variables/granted-variables.ts'
import { findTools } from '@wadi/rendering/sandbox/find-tools.ts'
import { ManifestWorkers } from '@wadi/rendering/manifest-workers.ts'
import { defaultRenderLimits } from '@wadi/rendering/render-source.ts'
import { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { repositoryFolders, urlPolicy } from '@wadi/repositories/repository-service-settings.ts'
import { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { KeyPool } from '@wadi/signatures/key-pool.ts'
import { openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import type { RepoServerContext } from './context.ts'
import { logOutages } from '@wadi/repositories/outages.ts'
import { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import { editParameters } from './routes/edit-parameters.ts'
import { getCommit } from './routes/get-commit.ts'
import { getParameters } from './routes/get-parameters.ts'
import { inspectSources } from './routes/inspect-sources.ts'
import { listCommits } from './routes/list-commits.ts'
import { listPaths } from './routes/list-paths.ts'
import { listPlugins } from './routes/list-plugins.ts'
import { readFiles } from './routes/read-files.ts'
import { readGpgKeys } from './routes/read-gpg-keys.ts'
import { renderSources } from './routes/render-sources.ts'
import { deleteRepository } from './routes/delete-repository.ts'
import { listRepositories } from './routes/list-repositories.ts'
import { putRepository } from './routes/put-repository.ts'
import { resolveRevisions } from './routes/resolve-revisions.ts'
import type { RepoServerSettings } from './settings.ts'
import { gitFiles } from './sources/git-files.ts'
import { RenderCache } from './sources/render-cache.ts'
import { gitVariables } from './sources/git-variables.ts'
import { SourceRenderer } from './sources/source-renderer.ts'

/** What somebody who starts it may put in place of a part. */
export interface RepoServerOverrides {
  /** The renderers in the order in which they are asked; by default those of `libs/rendering/src/renderers.ts`. */
  renderers?: readonly Renderer[]
}

/** Starts repo-server; disposal drains it and closes what it holds. */
export async function startRepoServer(
  settings: RepoServerSettings,
  overrides: RepoServerOverrides = {},
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('repo-server', settings)
  const folders = repositoryFolders('repo-server', settings)
  await mkdir(folders.own, { recursive: true, mode: 0o700 })
  const scratch = owned.use(await openOwnedFolder('wadi-render-')).path
  const containment = owned.use(
    await openContainment({
      folder: join(scratch, 'containment'),
      memoryBytes: settings.renderMemory,
      programFolders: pathFolders(process.env['PATH']),
      hidden: [settings.dataDirectory, settings.serviceKeyFile].map((place) => resolve(place)),
      warn: (message) => base.logger.warn(message),
    }),
  )
  base.logger.info(protectionSummary(containment.protections), 'protections of renderers')
  const repositories = new RepositoryStore(owned.use(openSqliteStore({ file: folders.credentials })), 'read')
  const mirrors = owned.use(
    new MirrorPool({
      directory: join(folders.own, 'mirrors'),
      policy: urlPolicy(settings),
      network: createNetworkPolicy(settings.allowedNetworks),
      repositories,
    }),
  )
  const { allowRemoteBases, allowRemoteCharts, kustomizeBuildOptions, helm, kustomize } = settings
  const tools = await findTools({
    cacheDirectory: join(folders.shared, 'tools'),
    ...(helm && { helm }),
    ...(kustomize && { kustomize }),
  })
  const plugins = owned.use(
    await openPlugins({
      socketDirectory: settings.pluginSockets,
      endpoints: settings.cmpServers,
      required: settings.requiredPlugins,
      variables: pluginVariables(settings),
      identity: base.identity,
      tls: base.tls,
      timeoutMs: settings.renderTimeout,
      logger: base.logger,
    }),
  )
  const { commandServer: endpoints, renderTimeout } = settings
  const commands =
    endpoints.length === 0
      ? undefined
      : owned.use(
          await openCommands({
            endpoints,
            identity: base.identity,
            tls: base.tls,
            timeoutMs: 2 * renderTimeout,
          }),
        )
  const renderer = new SourceRenderer({
    renderers: { ...tools, plugins, commands, renderers: overrides.renderers },
    gitVariables: (repository, signal) => gitVariables(repositories, urlPolicy(settings), repository, signal),
    policy: { allowRemoteBases, allowRemoteCharts, kustomizeBuildOptions },
    limits: {
      ...defaultRenderLimits,
      timeoutMilliseconds: settings.renderTimeout,
      manifestBytes: settings.maxManifestSize,
    },
    sandboxRoot: join(scratch, 'sandboxes'),
    containment,
    cache: owned.use(new RenderCache(join(folders.own, 'renders'), settings.renderCacheSize)),
    workers: owned.use(new ManifestWorkers()),
    parallelism: settings.parallelism,
  })
  const signatures = join(scratch, 'signatures')
  await mkdir(signatures, { mode: 0o700 })
  const git = {
    mirrors,
    remoteRefs: new RemoteRefsCache(settings.revisionCacheTime, logOutages(base.logger)),
    keys: owned.use(new KeyPool({ directory: signatures, containment })),
  }
  const context: RepoServerContext = { ...git, repositories, files: gitFiles(git), renderer, plugins }
  return serve(base, {
    services: [RepoServerService],
    routes: (router) => router.service(RepoServerService, repoServerRoutes(context)),
    owned: owned.move(),
  })
}

function pluginVariables({ pluginVariables: text }: RepoServerSettings) {
  try {
    return readPluginVariables(text)
  } catch (cause) {
    throw new InvalidInputError(`--plugin-variables (WADI_PLUGIN_VARIABLES): ${errorMessage(cause)}`, {
      cause,
    })
  }
}

function repoServerRoutes(context: RepoServerContext): ServiceImpl<typeof RepoServerService> {
  return {
    resolveRevisions: resolveRevisions(context),
    getCommit: getCommit(context),
    listCommits: listCommits(context),
    inspectSources: inspectSources(context),
    getParameters: getParameters(context),
    editParameters: editParameters(context),
    listPlugins: listPlugins(context),
    listPaths: listPaths(context),
    readFiles: readFiles(context),
    readGpgKeys: readGpgKeys(context),
    renderSources: renderSources(context),
    putRepository: putRepository(context),
    listRepositories: listRepositories(context),
    deleteRepository: deleteRepository(context),
  }
}
