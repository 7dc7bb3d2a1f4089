import type { Client } from '@connectrpc/connect'
import { templateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import { repositoryRoute } from '@wadi/repositories/repository-route.ts'
import { urlPolicy } from '@wadi/repositories/repository-service-settings.ts'
import { ownershipAmong } from '@wadi/rpc/replicas/ownership.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { connectTo, openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import { applicationNamespaces, isFollowed } from '@wadi/state/application-namespaces.ts'
import { openState } from '@wadi/state/open-state.ts'
import type { AppsetServiceContext } from './context.ts'
import { createGenerationSlots } from './access/generation-slots.ts'
import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import { createAppsetServiceEvents } from './events.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { wayByRepoServer } from './access/server-way.ts'
import { openGeneratedCache } from './generated-cache.ts'
import { GeneratorInputCache } from './reconcile/generator-input-cache.ts'
import { withObjectEvents } from './object-events.ts'
import { startReconciler } from './reconcile/reconciler.ts'
import { applicationSetRoutes } from './routes/application-set-routes.ts'
import { createTemplateWork } from '@wadi/application-sets/templates/template-work.ts'
import { type AppsetServiceSettings, appsetServiceSettings } from './settings.ts'
import { appsetServiceObjects } from './stored-objects.ts'

/** Time limit for one answer of a forge. */
const forgeAnswerMs = 30_000

/** Sets that one user may have generated at the same time. */
const generationsPerUser = 4

/**
 * Starts appset-service; disposal drains it and closes what it holds.
 * @param signal ends a start that waits for the cluster
 */
export async function startAppsetService(
  settings: AppsetServiceSettings,
  signal?: AbortSignal,
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('appset-service', settings)
  const state = owned.use(await openState(base, settings, appsetServiceObjects, signal))
  const { store, warning } = state
  const logged = createAppsetServiceEvents(base.logger, base.metrics)
  const events = state.events ? withObjectEvents(logged, state.events) : logged
  const policy = owned.use(await followPolicy(store, (reason) => events.policyInvalid(reason)))
  const templateWork = createTemplateWork(templateWorkers())
  const { repoServers } = settings
  const repoServer = owned.use(
    await connectTo(base, RepoServerService, 'repo-server', repoServers, repositoryRoute),
  )
  const ownership = ownershipAmong('appset-service', settings.replicas, { listen: settings.listen })
  const parts = { store, policy, repoServer, templateWork, ownership, events }
  const context = appsetServiceContext(base, settings, parts)
  owned.use(context.inputCache)
  const reconciler = owned.use(startReconciler(context))
  return await serve(base, {
    services: [ApplicationSetService, AppsetService],
    routes: (router, draining) => {
      router.service(ApplicationSetService, applicationSetRoutes(context, draining))
      router.service(AppsetService, {
        refreshRepository: ({ repoUrl }) => ({ applicationSets: reconciler.refreshRepository(repoUrl) }),
      })
    },
    warnings: { store: warning },
    diagnosed: { definition: appsetServiceSettings },
    owned: owned.move(),
  })
}

type Parts = 'store' | 'policy' | 'templateWork' | 'ownership' | 'events'

/** Returns what the RPCs and the passes of an appset-service share. */
export function appsetServiceContext(
  { identity }: Pick<ServiceBase, 'identity'>,
  settings: AppsetServiceSettings,
  parts: Pick<AppsetServiceContext, Parts> & { readonly repoServer: Client<typeof RepoServerService> },
): AppsetServiceContext {
  const { maxApplications, maxMessageSize, generationTimeout } = settings
  return {
    ...parts,
    seal: identity.sealFor('application-set-author'),
    urlPolicy: urlPolicy(settings),
    generationSlots: createGenerationSlots(generationsPerUser, parts.templateWork),
    deletionLimits: { share: settings.deletionShare, count: settings.deletionCount },
    setLock: createKeyedLock(),
    permitsNamespace: isFollowed(applicationNamespaces(settings.applicationNamespaces)),
    pluginConfigMaps: settings.pluginConfigMaps,
    limits: { applications: maxApplications, bytes: maxMessageSize, milliseconds: generationTimeout },
    forges: {
      isEnabled: settings.scmProviders,
      allowedApis: settings.scmAllowedApis,
      client: new ForgeClient({ waitMs: generationTimeout / 4, answerMs: forgeAnswerMs }),
      wayTo: wayByRepoServer(parts.repoServer),
    },
    cache: openGeneratedCache(new Reuse(settings.reuse)),
    inputCache: new GeneratorInputCache(generationTimeout),
  }
}
