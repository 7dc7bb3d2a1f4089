import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { watchDefinition } from '@wadi/state/definition-warning.ts'
import { becomeOnlyReplica } from '@wadi/state/only-replica.ts'
import { openInstallation } from '@wadi/state/open-installation.ts'
import { openState, type State } from '@wadi/state/open-state.ts'
import { connectServices } from './connect-services.ts'
import { createHydratorEvents, type HydratorEvents } from './events.ts'
import type { FollowedPolicies } from './gates/cluster/cluster-policies.ts'
import { startHydrating } from './hydrating.ts'
import { withObjectEvents } from './object-events.ts'
import { openQueueAndMemory } from './queue-and-memory.ts'
import type { StatusWrites } from './run/run-context.ts'
import { type HydratorSettings, hydratorSettings } from './settings.ts'
import { clusterPolicyObjects, hydratorObjects } from './stored-objects.ts'

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

const severalHydrators =
  'set WADI_REDIS_URL for all hydrators, so that they share a queue, or run one replica'

/** Starts a hydrator; disposal waits for the runs under way and closes what it holds. */
export async function startHydrator(
  settings: HydratorSettings,
  overrides: HydratorOverrides = {},
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('hydrator', settings)
  const objects = [...hydratorObjects, ...(settings.clusterPolicies ? clusterPolicyObjects : [])]
  const state = owned.use(await openState(base, settings, objects, overrides.signal))
  const { store } = state
  const definition = state.cluster && owned.use(await watchDefinition(base, state.cluster, state.troubles))
  const events = hydratorEvents(base, state, overrides)
  if (state.cluster && !settings.redis) owned.use(await becomeAlone(base, state.cluster, overrides))
  const status = statusWrites(settings, state.cluster !== undefined)
  const hydrating = owned.use(
    await startHydrating(settings, {
      store,
      status,
      clusterPolicies: await openClusterPolicies(settings, state, owned),
      events,
      metrics: base.metrics,
      traces: base.traces,
      ...(await connectServices(base, settings, owned)),
      installation: await openInstallation(base, store, overrides.signal),
      openQueue: (laneOf) => openQueueAndMemory(settings, { ...base, ...state, ...overrides, laneOf }, owned),
    }),
  )
  const { queue, routes, warnings, diagnose } = hydrating
  return await serve(base, {
    services: [HydratorService],
    routes: (router) => router.service(HydratorService, routes),
    checks: { queue: () => queue.check() },
    warnings: {
      store: state.warning,
      queue: () => queue.warning,
      definition: () => definition?.warning(),
      ...warnings,
    },
    diagnosed: { definition: hydratorSettings, diagnose },
    owned: owned.move(),
  })
}

/** @throws InvalidInputError where no cluster keeps the objects */
async function openClusterPolicies(
  { clusterPolicies }: HydratorSettings,
  { store, cluster, kindTroubles }: State,
  owned: AsyncDisposableStack,
): Promise<FollowedPolicies | undefined> {
  if (!clusterPolicies) return undefined
  if (!cluster) throw new InvalidInputError('WADI_CLUSTER_POLICIES needs WADI_STORE=kubernetes')
  const { FollowedPolicies } = await import('./gates/cluster/cluster-policies.ts')
  const { FollowedParameters } = await import('./gates/cluster/followed-parameters.ts')
  return new FollowedPolicies(store, owned.use(new FollowedParameters(cluster)), kindTroubles)
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
