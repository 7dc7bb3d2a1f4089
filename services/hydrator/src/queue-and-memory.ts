import type { Lane } from '@wadi/concurrency/fair-order.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import { openEmbeddedQueue } from '@wadi/queue/embedded-queue.ts'
import { openSingleMemory, type SharedMemory } from '@wadi/queue/shared-memory.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import type { State } from '@wadi/state/open-state.ts'
import type { HydratorSettings } from './settings.ts'
import { measureQueue } from './watch/measure-queue.ts'

type Surroundings = Pick<ServiceBase, 'logger' | 'metrics'> &
  Pick<State, 'troubles'> & {
    /** Returns the lane of a branch, by its key. */
    readonly laneOf: (key: string) => Lane
    /** The time for which a job in Redis stays with a hydrator that gives no sign of life, in ms. */
    readonly lockDurationMs?: number
  }

/** Opens the queue and the memory that hydrators share in Redis; without it they are in this process. */
export async function openQueueAndMemory(
  settings: Pick<HydratorSettings, 'redis' | 'redisPrefix'>,
  around: Surroundings,
  owned: AsyncDisposableStack,
): Promise<{ queue: BranchQueue; memory: SharedMemory }> {
  const queue = owned.use(await openQueue(settings, around))
  measureQueue(around.metrics, queue)
  return { queue, memory: owned.use(await openMemory(settings, around)) }
}

async function openQueue(
  { redis: url, redisPrefix: prefix }: Pick<HydratorSettings, 'redis' | 'redisPrefix'>,
  { logger, troubles, laneOf, lockDurationMs }: Surroundings,
): Promise<BranchQueue> {
  if (!url) return openEmbeddedQueue({ logger, laneOf })
  // The client for it takes 10 MiB, which a hydrator without Redis does not need.
  const { openRedisQueue } = await import('@wadi/queue/redis-queue.ts')
  return openRedisQueue({
    url,
    prefix,
    logger,
    laneOf,
    onEviction: (warning) => troubles.record('RedisMayEvict', warning),
    ...(lockDurationMs !== undefined && { lockDurationMs }),
  })
}

async function openMemory(
  { redis: url, redisPrefix: prefix }: Pick<HydratorSettings, 'redis' | 'redisPrefix'>,
  { logger }: Pick<ServiceBase, 'logger'>,
): Promise<SharedMemory> {
  if (!url) return openSingleMemory()
  const { openRedisMemory } = await import('@wadi/queue/redis-memory.ts')
  return openRedisMemory({ url, prefix, logger })
}
