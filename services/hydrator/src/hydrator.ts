import { join, resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import { openEmbeddedQueue } from '@wadi/queue/embedded-queue.ts'
import { openRedisQueue } from '@wadi/queue/redis-queue.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { connectTo, openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { ApplicationIndex } from './applications/application-index.ts'
import { createHydratorEvents, type HydratorEvents } from './events.ts'
import { getBranchStatuses } from './routes/get-branch-statuses.ts'
import { hydrateApplication } from './routes/hydrate-application.ts'
import { pollNow } from './routes/poll-now.ts'
import { refreshRepository } from './routes/refresh-repository.ts'
import type { RunContext } from './run/run-context.ts'
import { FingerprintCache } from './run/fingerprint-cache.ts'
import { runBranch } from './run/run-branch.ts'
import type { HydratorSettings } from './settings.ts'
import { followOperatorObjects } from './watch/follow-operator-objects.ts'
import { followRenderers } from './watch/follow-renderers.ts'
import { pollRepositories } from './watch/poll-repositories.ts'
import { QuietChanges } from './watch/quiet-changes.ts'
import { Wake } from './watch/wake.ts'

/** What a test may put in place of a part. */
export interface HydratorOverrides {
  /** Wraps the events, for example to end the process at a step. */
  events?: (events: HydratorEvents) => HydratorEvents
}

/** Starts a hydrator; disposal waits for the runs under way and closes what it holds. */
export async function startHydrator(
  settings: HydratorSettings,
  overrides: HydratorOverrides = {},
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('hydrator', settings)
  const recorded = createHydratorEvents(base.logger, base.metrics)
  const events = overrides.events?.(recorded) ?? recorded
  const dataDirectory = resolve(settings.dataDirectory)
  const store = owned.use(openSqliteStore({ file: settings.stateFile ?? join(dataDirectory, 'state.db') }))
  const queue = owned.use(openQueue(settings, base.logger))
  const changes = new QuietChanges((key) => {
    queue.enqueue(key).catch((error: unknown) => events.pollFailed(error))
  })
  const index = new ApplicationIndex({
    onChange: (key) => changes.add(key),
    onInvalid: (name, message) => events.invalidApplication(name, message),
  })
  const context: RunContext = {
    store,
    index,
    repoServer: owned.use(await connectTo(base, RepoServerService, 'repo-server', settings.repoServers)),
    repoServers: settings.repoServers.length,
    commitServer: owned.use(
      await connectTo(base, CommitServerService, 'commit-server', settings.commitServers),
    ),
    templates: loadTemplateEngine,
    fingerprints: new FingerprintCache(join(dataDirectory, 'hydrator', 'fingerprints')),
    events,
  }
  const wake = owned.use(new Wake())
  owned.use(await startHydrating(settings, context, { queue, changes, wake }))
  return serve(base, {
    services: [HydratorService],
    routes: (router) => router.service(HydratorService, hydratorRoutes({ index, queue, store, wake })),
    checks: { queue: () => queue.check() },
    owned: owned.move(),
  })
}

/**
 * Runs the branches of the queue and watches for what gives them work; the Applications are known when it returns.
 * Disposal waits for the runs under way.
 */
async function startHydrating(
  settings: HydratorSettings,
  context: RunContext,
  { queue, changes, wake }: { queue: BranchQueue; changes: QuietChanges; wake: Wake },
): Promise<AsyncDisposable> {
  const { store, index } = context
  const stop = new AbortController()
  const loaded = Promise.withResolvers<void>()
  const following = index.follow(store, stop.signal, loaded.resolve)
  following.catch(loaded.reject)
  await loaded.promise
  const worker = queue.work((key, signal) => runBranch(context, key, signal), {
    concurrency: settings.concurrency,
    signal: drainDeadline(stop.signal, settings.drainTimeout),
  })
  const call = () => wake.call()
  const watching = [
    following,
    pollRepositories(context, queue, { intervalMs: settings.pollInterval, wake }, stop.signal),
    followOperatorObjects(store, call, stop.signal),
    followRenderers(context, call, stop.signal),
  ]
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      changes[Symbol.dispose]()
      await worker[Symbol.asyncDispose]()
      await Promise.allSettled(watching)
    },
  }
}

function hydratorRoutes(context: {
  index: ApplicationIndex
  queue: BranchQueue
  store: RunContext['store']
  wake: Wake
}): ServiceImpl<typeof HydratorService> {
  return {
    hydrateApplication: hydrateApplication(context),
    refreshRepository: refreshRepository(context),
    pollNow: pollNow(context),
    getBranchStatuses: getBranchStatuses(context),
  }
}

function openQueue(settings: HydratorSettings, logger: Logger): BranchQueue {
  return settings.redis ? openRedisQueue({ url: settings.redis, logger }) : openEmbeddedQueue({ logger })
}

/** Aborts a while after `stop` does: the time that runs have to end by themselves. */
function drainDeadline(stop: AbortSignal, milliseconds: number): AbortSignal {
  const deadline = new AbortController()
  stop.addEventListener('abort', () => void setTimeout(() => deadline.abort(), milliseconds).unref(), {
    once: true,
  })
  return deadline.signal
}
