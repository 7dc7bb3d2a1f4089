import { resolve } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { branchOf, lanesByProject } from './lanes/lane-of.ts'
import { RunPlaces } from './lanes/run-places.ts'
import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import type { Diagnose } from '@wadi/rpc/diagnostics/finding.ts'
import type { Warning } from '@wadi/rpc/health-registry.ts'
import { openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { watchDefinition } from '@wadi/state/definition-warning.ts'
import { becomeOnlyReplica } from '@wadi/state/only-replica.ts'
import { openInstallation } from '@wadi/state/open-installation.ts'
import { openState } from '@wadi/state/open-state.ts'
import { inSpan, type SpanSink } from '@wadi/telemetry/span.ts'
import { runInTrace } from '@wadi/telemetry/trace.ts'
import { ApplicationIndex } from './applications/application-index.ts'
import { connectServices } from './connect-services.ts'
import { openQueueAndMemory } from './queue-and-memory.ts'
import { createHydratorEvents, type HydratorEvents } from './events.ts'
import { PullRequestKeeper } from './pull-requests/follow-pull-requests.ts'
import type { ReviewContext } from './review/review-pull-request.ts'
import { PullRequestWatch } from './review/watch-pull-requests.ts'
import { compareRevisions } from './routes/compare-revisions.ts'
import { getBranchStatuses } from './routes/get-branch-statuses.ts'
import { hydrateApplication } from './routes/hydrate-application.ts'
import { listQueuedBranches } from './routes/list-queued-branches.ts'
import { pollNow } from './routes/poll-now.ts'
import { refreshRepository } from './routes/refresh-repository.ts'
import type { RunContext, StatusWrites } from './run/run-context.ts'
import { withObjectEvents } from './object-events.ts'
import { BranchRecords } from './run/report/branch-records.ts'
import { Known } from './run/reuse/known.ts'
import { operatorViews } from './run/operator-view.ts'
import { runBranch } from './run/run-branch.ts'
import { type HydratorSettings, hydratorSettings } from './settings.ts'
import { hydratorObjects } from './stored-objects.ts'
import { Announcements } from './watch/announcements.ts'
import { followOperatorObjects } from './watch/follow-operator-objects.ts'
import { followRenderers } from './watch/follow-renderers.ts'
import { RepositoryNews } from './watch/repository-news.ts'
import { RecordedBranches } from './watch/recorded-branches.ts'
import { pollRepositories } from './watch/poll-repositories.ts'
import { shareOfRuns } from './watch/share-of-runs.ts'
import { QuietChanges } from './watch/quiet-changes.ts'
import { Wake } from './watch/wake.ts'

/** Optional inputs of a start besides its settings. */
export interface HydratorOverrides {
  /** Ends a start that waits for the cluster. */
  signal?: AbortSignal
  /** For tests: wraps the events, for example to end the process at a step. */
  events?: (events: HydratorEvents) => HydratorEvents
  /** For tests: called in place of the end of the process when another hydrator took its place. */
  onLost?: () => void
  /** For tests: how long a job in Redis stays with a hydrator that gives no sign of life, in ms; 30 s by default. */
  lockDurationMs?: number
}

/**
 * Branches that run at a time, rendering or not. Those that wait for the same repository share a poll of it and a push, so there
 * are many.
 */
const maxRuns = 64

const severalHydrators =
  'set WADI_REDIS_URL for all hydrators, so that they share a queue, or run one replica'

/** Starts a hydrator; disposal waits for the runs under way and closes what it holds. */
export async function startHydrator(
  settings: HydratorSettings,
  overrides: HydratorOverrides = {},
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('hydrator', settings)
  const state = owned.use(await openState(base, settings, hydratorObjects, overrides.signal))
  const { store } = state
  const definition = state.cluster && owned.use(await watchDefinition(base, state.cluster, state.troubles))
  const events = hydratorEvents(base, state, overrides)
  if (state.cluster && !settings.redis) owned.use(await becomeAlone(base, state.cluster, overrides))
  const laneOf = lanesByProject(settings.projectWeights)
  const laneOfKey = (key: string) => laneOf(branchOf(index.members(key)))
  const around = { ...base, ...state, ...overrides, laneOf: laneOfKey }
  const { queue, memory } = await openQueueAndMemory(settings, around, owned)
  const { changes, index } = indexApplications(queue, events)
  const recorded = new RecordedBranches(base.metrics)
  const status = statusWrites(settings, state.cluster !== undefined)
  const context: RunContext = {
    store,
    index,
    ...(await connectServices(base, settings, owned)),
    operatorViews: operatorViews(store, status.yieldsToArgoCd),
    announcements: new Announcements(),
    news: new RepositoryNews(),
    rendering: new RunPlaces(settings.concurrency, 'rendering', laneOf),
    templates: loadTemplateEngine,
    known: new Known(resolve(settings.dataDirectory, 'hydrator'), memory, new Reuse(settings.reuse)),
    records: new BranchRecords(store, memory),
    status,
    installation: await openInstallation(base, store, overrides.signal),
    events,
  }
  const wake = owned.use(new Wake())
  const pullRequests = owned.use(new PullRequestKeeper())
  const requestPoll = () => pollKnown(index, wake)
  const looks = [requestPoll, () => pullRequests.lookAtAll()]
  const lookAgain = () => looks.forEach((look) => look())
  const found = { changes, wake, recorded, pullRequests, requestPoll, lookAgain, traces: base.traces }
  owned.use(await startHydrating(settings, context, { queue, memory, ...found }))
  const reviews = owned.use(watchReviews(settings, context, memory))
  looks.push(() => reviews.lookAtAll())
  const hintReviews = (repoUrl: string) => reviews.hint(repoUrl)
  const routes = hydratorRoutes({ ...context, queue, lookAgain, hintReviews }, context)
  return await serve(base, {
    services: [HydratorService],
    routes: (router) => router.service(HydratorService, routes),
    checks: { queue: () => queue.check() },
    warnings: {
      store: state.warning,
      definition: () => definition?.warning(),
      ...warningsOf({ queue, index, recorded }),
    },
    diagnosed: { definition: hydratorSettings, diagnose: diagnoseWith({ ...context, queue }) },
    owned: owned.move(),
  })
}

function warningsOf({
  queue,
  index,
  recorded,
}: {
  queue: BranchQueue
  index: ApplicationIndex
  recorded: RecordedBranches
}): Record<string, Warning> {
  return {
    queue: () => queue.warning,
    applications: () => index.warning(),
    branches: () => recorded.warning(),
  }
}

function diagnoseWith(context: Pick<RunContext, 'index' | 'news'> & { queue: BranchQueue }): Diagnose {
  return async () => {
    const { diagnoseHydrator } = await import('./diagnostics/diagnose-hydrator.ts')
    return diagnoseHydrator(context)
  }
}

/** The Applications, and what queues the branches of those that change. */
function indexApplications(
  queue: BranchQueue,
  events: HydratorEvents,
): { changes: QuietChanges; index: ApplicationIndex } {
  const changes = new QuietChanges((key) => {
    queue.enqueue(key).catch((error: unknown) => events.pollFailed(error))
  })
  const index = new ApplicationIndex({
    onChange: (key) => changes.add(key),
    onInvalid: (name, message) => events.invalidApplication(name, message),
  })
  return { changes, index }
}

/** Requests a poll of the branches; one that becomes known later is queued then. */
function pollKnown(index: ApplicationIndex, wake: Wake): void {
  if (index.branchKeys().length > 0) wake.call()
}

/** Waits until no other hydrator runs that this one shares no queue with. */
async function becomeAlone(
  base: ServiceBase,
  cluster: Parameters<typeof becomeOnlyReplica>[1],
  { onLost = endProcess, signal }: HydratorOverrides,
): Promise<AsyncDisposable> {
  return becomeOnlyReplica(base, cluster, { advice: severalHydrators, onLost }, signal)
}

function hydratorEvents(
  { logger, metrics }: ServiceBase,
  { events: recorder }: Pick<Awaited<ReturnType<typeof openState>>, 'events'>,
  overrides: HydratorOverrides,
): HydratorEvents {
  const logged = createHydratorEvents(logger, metrics)
  const recorded = recorder ? withObjectEvents(logged, recorder) : logged
  return overrides.events?.(recorded) ?? recorded
}

/** Branches that reviews have rendered at a time, beside those of runs: hydrations come first. */
const maxRenderingForReviews = 2

function watchReviews(
  { pollInterval: intervalMs }: HydratorSettings,
  context: ReviewContext,
  memory: SharedMemory,
): PullRequestWatch {
  const rendering = new RunPlaces(maxRenderingForReviews, 'rendering for a review', lanesByProject(''))
  return new PullRequestWatch({ ...context, rendering }, { intervalMs, memory })
}

/** The sources of branches to hydrate, and the sink for the spans of their runs. */
interface Hydrating {
  queue: BranchQueue
  memory: SharedMemory
  changes: QuietChanges
  wake: Wake
  recorded: RecordedBranches
  pullRequests: PullRequestKeeper
  /** Wishes for a poll of the branches that are known now. */
  requestPoll: () => void
  /** Requests a poll of all branches and pull requests, as settings or credentials may have changed. */
  lookAgain: () => void
  traces: SpanSink | undefined
}

/**
 * Runs the branches of the queue and watches for what gives them work; the Applications are known when it returns.
 * Disposal waits for the runs under way.
 */
async function startHydrating(
  settings: HydratorSettings,
  context: RunContext,
  { queue, memory, changes, wake, recorded, pullRequests, requestPoll, lookAgain, traces }: Hydrating,
): Promise<AsyncDisposable> {
  const { store, index, events } = context
  const stop = new AbortController()
  const loaded = Promise.withResolvers<void>()
  const following = index.follow(store, stop.signal, loaded.resolve)
  following.catch(loaded.reject)
  await loaded.promise
  const run = async (key: string, signal: AbortSignal, waitedMs: number | undefined) => {
    changes.drop(key)
    if (waitedMs !== undefined) events.waited(branchOf(index.members(key)).project, 'queue', waitedMs)
    await inSpan('hydrate branch', { attributes: { 'wadi.branch.key': key } }, () =>
      runBranch(context, key, signal),
    )
    pullRequests.changed(key)
  }
  const worker = queue.work((...job) => runInTrace(undefined, () => run(...job), traces), {
    concurrency: maxRuns,
    share: shareOfRuns(context.rendering, { renders: settings.concurrency, most: maxRuns }),
    signal: drainDeadline(stop.signal, settings.drainTimeout),
  })
  const watching = [
    following,
    pollRepositories(context, queue, { intervalMs: settings.pollInterval, wake, memory }, stop.signal),
    pullRequests.follow(context, { intervalMs: settings.pollInterval, memory }, stop.signal),
    followOperatorObjects(store, lookAgain, stop.signal),
    recorded.follow(store, stop.signal),
    followRenderers(context, requestPoll, stop.signal),
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

function hydratorRoutes(
  context: Pick<RunContext, 'index' | 'store' | 'announcements' | 'news' | 'operatorViews' | 'status'> &
    Pick<Hydrating, 'queue' | 'lookAgain'> & { hintReviews: (repoUrl: string) => void },
  runs: RunContext,
): ServiceImpl<typeof HydratorService> {
  return {
    hydrateApplication: hydrateApplication(context),
    refreshRepository: refreshRepository(context),
    pollNow: pollNow(context),
    getBranchStatuses: getBranchStatuses(context),
    listQueuedBranches: listQueuedBranches(context),
    compareRevisions: compareRevisions(runs),
  }
}

function statusWrites({ writeStatus }: HydratorSettings, isInCluster: boolean): StatusWrites {
  return {
    operations: writeStatus === 'always' || (writeStatus === 'auto' && isInCluster),
    yieldsToArgoCd: isInCluster && writeStatus !== 'always',
  }
}

/** Drains and ends, so that whoever runs the process starts it again, to wait. */
function endProcess(): void {
  process.kill(process.pid, 'SIGTERM')
}

/** Aborts a while after `stop` does: the time that runs have to end by themselves. */
function drainDeadline(stop: AbortSignal, milliseconds: number): AbortSignal {
  const deadline = new AbortController()
  stop.addEventListener('abort', () => void setTimeout(() => deadline.abort(), milliseconds).unref(), {
    once: true,
  })
  return deadline.signal
}
