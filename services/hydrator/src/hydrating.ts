import { resolve } from 'node:path'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { Lane } from '@wadi/concurrency/fair-order.ts'
import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import type { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { Diagnose } from '@wadi/rpc/diagnostics/finding.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import { inSpan, type SpanSink } from '@wadi/telemetry/span.ts'
import { runInTrace } from '@wadi/telemetry/trace.ts'
import { ApplicationIndex } from './applications/application-index.ts'
import type { FollowedPolicies } from './gates/cluster/cluster-policies.ts'
import type { HydratorEvents } from './events.ts'
import { branchOf, lanesByProject } from './lanes/lane-of.ts'
import { RunPlaces } from './lanes/run-places.ts'
import { PullRequestKeeper } from './pull-requests/follow-pull-requests.ts'
import type { ReviewContext } from './review/review-pull-request.ts'
import { PullRequestWatch } from './review/watch-pull-requests.ts'
import { compareRevisions } from './routes/compare-revisions.ts'
import { getBranchStatuses } from './routes/get-branch-statuses.ts'
import { hydrateApplication } from './routes/hydrate-application.ts'
import { listQueuedBranches } from './routes/list-queued-branches.ts'
import { refreshRepository } from './routes/refresh-repository.ts'
import { withRunLog } from './run/log/log-events.ts'
import { RunHistory } from './run/log/run-history.ts'
import { RunLog } from './run/log/run-log.ts'
import { operatorViews } from './run/operator-view.ts'
import { BranchRecords } from './run/report/branch-records.ts'
import { Known } from './run/reuse/known.ts'
import { SharedCalls } from './run/reuse/shared-calls.ts'
import { runBranch } from './run/run-branch.ts'
import type { RunContext, StatusWrites } from './run/run-context.ts'
import type { HydratorSettings } from './settings.ts'
import { Announcements } from './watch/announcements.ts'
import { followOperatorObjects } from './watch/follow-operator-objects.ts'
import { followRenderers } from './watch/follow-renderers.ts'
import { pollRepositories } from './watch/poll-repositories.ts'
import { QuietChanges } from './watch/quiet-changes.ts'
import { RecordedBranches } from './watch/recorded-branches.ts'
import { RepositoryNews } from './watch/repository-news.ts'
import { shareOfRuns } from './watch/share-of-runs.ts'
import { Wake } from './watch/wake.ts'

/** Everything beyond its process that a hydrator works with, opened. */
export interface HydratorSurroundings extends Pick<ReviewContext, 'repoServer' | 'commitServer' | 'forges'> {
  readonly store: ResourceStore
  readonly status: StatusWrites
  /** The policies of the cluster; undefined if nobody follows them. */
  readonly clusterPolicies?: FollowedPolicies | undefined
  /** Id of this installation. */
  readonly installation: string
  readonly events: HydratorEvents
  readonly metrics: MetricsRegistry
  /** The sink for the spans of runs; undefined to record none. */
  readonly traces: SpanSink | undefined
  /**
   * Opens the queue and the memory that hydrators share; whoever opens them closes them.
   * @param laneOf returns the lane of a branch, by its key
   */
  readonly openQueue: (
    laneOf: (key: string) => Lane,
  ) => Promise<{ readonly queue: BranchQueue; readonly memory: SharedMemory }>
}

/** A hydrator at work; disposal waits for the runs under way. */
export interface Hydrating extends AsyncDisposable {
  readonly queue: BranchQueue
  readonly routes: ServiceImpl<typeof HydratorService>
  /** The warnings about Applications and branches; undefined for none. */
  readonly warnings: Readonly<Record<'applications' | 'branches', () => string | undefined>>
  readonly diagnose: Diagnose
}

/**
 * Branches that run at a time, rendering or not. Those that wait for the same repository share a poll of it and a push, so there
 * are many.
 */
const maxRuns = 64

/** Runs the branches of the queue and watches for what gives them work; the Applications are known when it returns. */
export async function startHydrating(
  settings: HydratorSettings,
  surroundings: HydratorSurroundings,
): Promise<Hydrating> {
  await using owned = new AsyncDisposableStack()
  const { store, status, clusterPolicies, metrics, openQueue, ...others } = surroundings
  const laneOf = lanesByProject(settings.projectWeights)
  const { queue, memory } = await openQueue((key) => laneOf(branchOf(index.members(key))))
  const history = new RunHistory(resolve(settings.dataDirectory, 'hydrator', 'runs'), memory)
  await history.removeUnfinished()
  const runs = new RunLog(history)
  const events = withRunLog(surroundings.events, runs)
  const { changes, index } = indexApplications(queue, events)
  const recorded = new RecordedBranches(metrics)
  const reuse = new Reuse(settings.reuse)
  const context: RunContext = {
    ...others,
    store,
    index,
    shared: new SharedCalls(others.repoServer, others.commitServer, reuse),
    operatorViews: operatorViews(store, status.yieldsToArgoCd, clusterPolicies),
    announcements: new Announcements(),
    news: new RepositoryNews(),
    rendering: new RunPlaces(settings.concurrency, 'rendering', laneOf),
    templates: loadTemplateEngine,
    known: new Known(resolve(settings.dataDirectory, 'hydrator'), memory, reuse),
    records: new BranchRecords(store, memory),
    runs,
    status,
    clusterPolicies,
    events,
  }
  const wake = owned.use(new Wake())
  const pullRequests = owned.use(new PullRequestKeeper())
  const requestPoll = () => pollKnown(index, wake)
  const looks = [requestPoll, () => pullRequests.lookAtAll()]
  const lookAgain = () => looks.forEach((look) => look())
  const found = { changes, wake, recorded, pullRequests, requestPoll, lookAgain, traces: others.traces }
  owned.use(await startWatching(settings, context, { queue, memory, ...found }))
  const reviews = owned.use(watchReviews(settings, context, memory))
  looks.push(() => reviews.lookAtAll())
  const hintReviews = (repoUrl: string) => reviews.hint(repoUrl)
  const routes = hydratorRoutes({ ...context, queue, lookAgain, hintReviews, pullRequests }, context)
  const warnings = { applications: () => index.warning(), branches: () => recorded.warning() }
  const moved = owned.move()
  const diagnose = diagnoseWith({ ...context, queue })
  return { queue, routes, warnings, diagnose, [Symbol.asyncDispose]: () => moved.disposeAsync() }
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
interface Watching {
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
async function startWatching(
  settings: HydratorSettings,
  context: RunContext,
  { queue, memory, changes, wake, recorded, pullRequests, requestPoll, lookAgain, traces }: Watching,
): Promise<AsyncDisposable> {
  const { store, index, events, clusterPolicies } = context
  const stop = new AbortController()
  const loaded = Promise.withResolvers<void>()
  const following = index.follow(store, stop.signal, loaded.resolve)
  following.catch(loaded.reject)
  await loaded.promise
  const run = async (key: string, signal: AbortSignal, waitedMs: number | undefined) => {
    changes.drop(key)
    if (waitedMs !== undefined) {
      events.waited(branchOf(index.members(key)).project, 'queue', waitedMs)
      context.runs.waited(key, waitedMs)
    }
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
    followOperatorObjects({ store, clusterPolicies }, { lookAgain, requestPoll }, stop.signal),
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

/** Returns a route whose code is loaded by its first call. */
function onFirstUse<Request, Answer>(
  open: () => Promise<(request: Request, call: HandlerContext) => Promise<Answer>>,
): (request: Request, call: HandlerContext) => Promise<Answer> {
  let route: ReturnType<typeof open> | undefined
  return async (request, call) => (await (route ??= open()))(request, call)
}

function hydratorRoutes(
  context: Pick<RunContext, 'index' | 'store' | 'announcements' | 'news' | 'operatorViews' | 'status'> &
    Pick<Watching, 'queue' | 'lookAgain' | 'pullRequests'> & { hintReviews: (repoUrl: string) => void },
  runs: RunContext,
): ServiceImpl<typeof HydratorService> {
  return {
    hydrateApplication: hydrateApplication(context),
    refreshRepository: refreshRepository(context),
    /** Starts the poll of all repositories and of all pull requests at once. */
    pollNow() {
      context.lookAgain()
      return {}
    },
    getBranchStatuses: getBranchStatuses(context),
    listQueuedBranches: listQueuedBranches(context),
    listRuns: onFirstUse(async () => {
      const { listRuns } = await import('./routes/list-runs.ts')
      return listRuns({ ...context, runs: runs.runs })
    }),
    findObjects: onFirstUse(async () => {
      const { findObjects } = await import('./routes/find-objects.ts')
      const { ObjectSearch } = await import('./run/reuse/object-search.ts')
      return findObjects(new ObjectSearch(runs.known))
    }),
    compareRevisions: compareRevisions(runs),
    getGates: onFirstUse(async () => (await import('./routes/get-gates.ts')).getGates(context)),
    /** Changes the pull request of a staging branch for somebody who saw both branches. */
    async changePullRequest(request, { signal }) {
      const { number, url, state, message } = await context.pullRequests.change(runs, request, signal)
      return { number, url, state, message }
    },
  }
}

/** Aborts a while after `stop` does: the time that runs have to end by themselves. */
function drainDeadline(stop: AbortSignal, milliseconds: number): AbortSignal {
  const deadline = new AbortController()
  stop.addEventListener('abort', () => void setTimeout(() => deadline.abort(), milliseconds).unref(), {
    once: true,
  })
  return deadline.signal
}
