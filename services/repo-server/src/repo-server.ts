import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type Containment, openContainment } from '@wadi/containment/containment.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { openOwnedDirectory } from '@wadi/containment/owned-directory.ts'
import { protectionSummary } from '@wadi/containment/protection.ts'
import { FastGuard } from '@wadi/engines/guard/fast-guard.ts'
import { CurrentTools } from '@wadi/renderer-tools/current-tools.ts'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { operatorChoice } from '@wadi/rendering/run/operator-choice.ts'
import { urlPolicy } from '@wadi/repositories/repository-service-settings.ts'
import { repositoryRoutes } from '@wadi/repositories/repository-requests.ts'
import { openServiceRepositories, type ServiceRepositories } from '@wadi/repositories/service-repositories.ts'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { KeyPool } from '@wadi/signatures/key-pool.ts'
import type { Diagnose } from '@wadi/rpc/diagnostics/finding.ts'
import { openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import { connectRunners } from './connect-plugins.ts'
import type { RepoServerContext } from './context.ts'
import { logOutages } from '@wadi/repositories/outages.ts'
import { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import { AnnouncedHeads } from './revisions/announced-heads.ts'
import { reportEngines, reportFastRenders, reportTools } from './events.ts'
import { getCommit } from './routes/get-commit.ts'
import { inspectSources } from './routes/inspect-sources.ts'
import { listCommits } from './routes/list-commits.ts'
import { listPaths } from './routes/list-paths.ts'
import { readFiles } from './routes/read-files.ts'
import { renderSources } from './routes/render-sources.ts'
import { resolveRevisions } from './routes/resolve-revisions.ts'
import { type RepoServerSettings, repoServerSettings } from './settings.ts'
import { ChartArchives } from '@wadi/charts/chart-archives.ts'
import { ChartPool } from '@wadi/charts/chart-pool.ts'
import { ChartRevisions } from './revisions/chart-revisions.ts'
import { chartFiles, filesOfBoth } from './sources/chart-files.ts'
import { filesWithReferences } from './sources/files-with-references.ts'
import { gitFiles } from './sources/git-files.ts'
import { openRenders } from '@wadi/rendering/run/cache/render-cache.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { wayOutside } from './sources/way-outside.ts'
import { gitVariables } from './sources/git-variables.ts'
import { warnOfMemory } from './diagnostics/memory-shortage.ts'
import type { Seen } from './diagnostics/diagnose-repo-server.ts'
import { openRendersUnderWay } from './sources/renders-under-way.ts'
import { GatedRenderer } from './sources/gated-renderer.ts'
import { SourceRenderer } from './sources/source-renderer.ts'
import type { KnownTools } from './tools/known-tools.ts'
import type { openDownloads } from './tools/open-downloads.ts'

/** Parts that the caller may replace. */
export interface RepoServerOverrides {
  /** The renderers in the order in which they are asked; by default those of `libs/rendering/src/renderers/renderers.ts`. */
  renderers?: readonly Renderer[]
  /** Ends a start that waits for the cluster. */
  signal?: AbortSignal
}

/** Starts repo-server; disposal drains it and closes what it holds. */
export async function startRepoServer(
  settings: RepoServerSettings,
  { renderers, signal: starting }: RepoServerOverrides = {},
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('repo-server', settings)
  const known = owned.use(
    await openServiceRepositories(base, settings, { purpose: 'read', signal: starting }),
  )
  const { directories, repositories, mirrors, wholeCopies, network, warning } = known
  const seen: Seen = { leftToTool: [], wholeCopies, memory: warnOfMemory(base, settings) }
  const scratch = owned.use(await openOwnedDirectory('wadi-render-')).path
  const containment = owned.use(await containRenderers(base, settings, scratch))
  const { programs, ...choice } = operatorChoice(settings)
  const cacheDirectory = join(directories.shared, 'tools')
  const wayOut = { settings, repositories, network, cacheDirectory, logger: base.logger }
  const tools = await openTools({ ...wayOut, metrics: base.metrics, left: seen.leftToTool }, programs, owned)
  const runners = await connectRunners(base, settings, owned)
  const reuse = new Reuse(settings.reuse)
  const renderer = new SourceRenderer({
    reuse,
    renderers: { ...tools.current.known, ...runners, renderers },
    tools: tools.current,
    gitVariables: (repository, signal) => gitVariables(repositories, urlPolicy(settings), repository, signal),
    wayTo: (servers, project) => wayOutside(repositories, servers, project),
    ...choice,
    sandboxRoot: join(scratch, 'sandboxes'),
    containment,
    cache: owned.use(openRenders(reuse, join(directories.own, 'renders'), settings.renderCacheSize)),
    workers: owned.use(new ManifestWorkers()),
    underWay: openRendersUnderWay(base, join(directories.own, 'under-way')),
    guard: settings.renderers === 'fast' ? owned.use(openGuard(base, settings, seen.leftToTool)) : undefined,
    parallelism: settings.parallelism,
  })
  const remoteRefs = new RemoteRefsCache(settings.revisionCacheTime, logOutages(base.logger))
  const keys = owned.use(await openKeys(join(scratch, 'signatures'), containment))
  const git = { mirrors, remoteRefs, keys }
  const charts = openCharts(settings, { directory: join(directories.own, 'charts'), network, repositories })
  const context: RepoServerContext = {
    ...git,
    announcedHeads: new AnnouncedHeads(),
    repositories,
    chartRevisions: new ChartRevisions(charts),
    checkCharts: (repoUrl, project, signal) => charts.check({ repoUrl, project }, signal),
    files: filesWithReferences(filesOfBoth(gitFiles(git), chartFiles(charts))),
    renderer,
    gated: owned.use(await openGated(renderer, settings, { containment, scratch })),
    reuse,
    plugins: runners.plugins,
    tools,
    protections: containment.protections,
  }
  return await serve(base, {
    services: [RepoServerService],
    routes: (router) => router.service(RepoServerService, repoServerRoutes(context)),
    warnings: { repositories: warning, memory: () => seen.memory?.message },
    diagnosed: { definition: repoServerSettings, diagnose: diagnoseWith(context, seen) },
    owned: owned.move(),
  })
}

function openCharts(
  settings: RepoServerSettings,
  { directory, ...access }: Pick<ServiceRepositories, 'network' | 'repositories'> & { directory: string },
): ChartPool {
  const archives = new ChartArchives(directory, settings.chartCacheSize)
  return new ChartPool({ archives, policy: urlPolicy(settings), ...access })
}

function diagnoseWith(context: RepoServerContext, seen: Seen): Diagnose {
  return async (request, signal) => {
    const { diagnoseRepoServer } = await import('./diagnostics/diagnose-repo-server.ts')
    return diagnoseRepoServer(context, seen, request, signal)
  }
}

/** Finds the renderers, reports them, and opens what may be downloaded where the operator allows that. */
async function openTools(
  options: Parameters<typeof openDownloads>[0] &
    Pick<ServiceBase, 'metrics'> & { readonly settings: RepoServerSettings; readonly left: string[] },
  programs: ReturnType<typeof operatorChoice>['programs'],
  owned: AsyncDisposableStack,
): Promise<KnownTools> {
  const { settings, cacheDirectory, logger, metrics, left } = options
  const isFast = settings.renderers === 'fast'
  const downloads =
    settings.toolDownloads === 'off' || settings.toolDownloads === 'false'
      ? undefined
      : owned.use(await (await import('./tools/open-downloads.ts')).openDownloads(options))
  const current = await CurrentTools.open({ cacheDirectory, downloads, ...programs })
  reportTools(logger, current.known, isFast, left)
  reportEngines(metrics, current, isFast)
  return { current, downloads, toolsDirectory: programs.toolsDirectory, toolList: settings.toolList }
}

/** The directory in which the kubelet mounts tokens. */
const podSecrets = '/var/run/secrets'

/** Returns the containment of renderers: they see neither the data of the service nor its key and tokens. */
async function containRenderers(
  { logger }: ServiceBase,
  { renderMemory, dataDirectory, serviceKeyFile, serviceTokensDirectory }: RepoServerSettings,
  scratch: string,
): Promise<Containment> {
  const containment = await openContainment({
    directory: join(scratch, 'containment'),
    memoryBytes: renderMemory,
    programDirectories: pathDirectories(process.env['PATH']),
    hidden: [dataDirectory, serviceKeyFile, serviceTokensDirectory, podSecrets].map((place) =>
      resolve(place),
    ),
    warn: (message) => logger.warn(message),
  })
  logger.info(protectionSummary(containment.protections), 'protections of renderers')
  return containment
}

/** Renders in a row that the tool makes before a thread, which takes seconds to start, is worth it. */
const toolFirst = 3

function openGuard(
  { metrics, logger }: ServiceBase,
  { compareEvery }: RepoServerSettings,
  leftToTool: string[],
): FastGuard {
  if (compareEvery < 1)
    throw new InvalidInputError('--compare-every (WADI_COMPARE_EVERY): must be at least 1')
  return new FastGuard(reportFastRenders(metrics, logger, leftToTool), { compareEvery, toolFirst })
}

/** Opens the gates, with the programs that the operator has judge objects. */
async function openGated(
  renderer: SourceRenderer,
  { validators: file }: RepoServerSettings,
  { containment, scratch }: { containment: Containment; scratch: string },
): Promise<GatedRenderer> {
  if (file === '') return new GatedRenderer(renderer)
  const { readValidators } = await import('@wadi/gates/programs/read-validators.ts')
  const { openValidators } = await import('./validators/open-validators.ts')
  const validators = openValidators(readValidators(await readFile(file, 'utf8'), file), {
    containment,
    programDirectories: pathDirectories(process.env['PATH']),
    sandboxRoot: join(scratch, 'sandboxes'),
  })
  return new GatedRenderer(renderer, undefined, validators)
}

async function openKeys(directory: string, containment: Containment): Promise<KeyPool> {
  await mkdir(directory, { mode: 0o700 })
  return new KeyPool({ directory, containment })
}

function repoServerRoutes(context: RepoServerContext): ServiceImpl<typeof RepoServerService> {
  return {
    resolveRevisions: resolveRevisions(context),
    getCommit: getCommit(context),
    findMergeBase: async (request, call) =>
      (await import('./routes/find-merge-base.ts')).findMergeBase(context)(request, call),
    listCommits: listCommits(context),
    listCommitsBetween: async (request, call) =>
      (await import('./routes/list-commits-between.ts')).listCommitsBetween(context)(request, call),
    inspectSources: inspectSources(context),
    getParameters: async (request, call) =>
      (await import('./routes/get-parameters.ts')).getParameters(context)(request, call),
    editParameters: async (request, call) =>
      (await import('./routes/edit-parameters.ts')).editParameters(context)(request, call),
    ...operatorRoutes(context),
    listPaths: listPaths(context),
    readFiles: readFiles(context),
    readChangedManifests: async (request, call) =>
      (await import('./routes/read-changed-manifests.ts')).readChangedManifests(context)(request, call),
    readRestoredFiles: async (request, call) =>
      (await import('./routes/read-restored-files.ts')).readRestoredFiles(context)(request, call),
    readGpgKeys: async (request) => (await import('./routes/read-gpg-keys.ts')).readGpgKeys(context)(request),
    checkSignature: async (request, call) =>
      (await import('./routes/check-signature.ts')).checkSignature(context)(request, call),
    renderSources: renderSources(context),
    ...repositoryRoutes(context),
    /** Returns how a server is reached that belongs to a repository. */
    async getServerWay({ url, repoUrl, project }) {
      const way = await context.repositories.wayFor(url, repoUrl, project)
      const { tlsCaCertificate = '', proxy = '', noProxy = '' } = way
      return { tlsCaCertificate, proxy, noProxy }
    },
  }
}

/** Returns what operators ask about plugins, containment and tools, which is loaded when they do. */
function operatorRoutes(context: RepoServerContext) {
  return {
    listPlugins: async (request, call) =>
      (await import('./routes/list-plugins.ts')).listPlugins(context)(request, call),
    /** Lists how renderers are contained on this machine. */
    listProtections: () => ({ protections: context.protections.map((protection) => ({ ...protection })) }),
    listTools: async () => (await import('./routes/tools.ts')).listTools(context),
    addTool: async (request, call) => (await import('./routes/tools.ts')).addTool(context, request, call),
    removeTool: async (request) => (await import('./routes/tools.ts')).removeTool(context, request),
    verifyTools: async () => (await import('./routes/tools.ts')).verifyTools(context),
  } satisfies Partial<ServiceImpl<typeof RepoServerService>>
}
