import type { Logger } from 'pino'
import { openFailFastRedis } from './redis-connection.ts'
import type { SharedMemory } from './shared-memory.ts'

/** Of larger values nothing is remembered: they would take more memory of Redis than they save time. */
const maxValueBytes = 4 * 1024 * 1024

const rememberedSeconds = 7 * 24 * 3600

/**
 * Opens the memory in Redis, shared by all processes with the same Redis and prefix.
 * While Redis is away, every process has every claim, and nothing is remembered.
 */
export function openRedisMemory({
  url,
  prefix = 'wadi',
  logger,
}: {
  /** As `redisAddress` takes it; never logged. */
  url: string
  /** Begins every key in Redis. */
  prefix?: string
  logger?: Logger
}): SharedMemory {
  const redis = openFailFastRedis(url)
  // The queue reports the loss of Redis; this only keeps the error from ending the process.
  redis.on('error', () => undefined)
  const unlessAway = async <T>(answer: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      logger?.debug({ error: error instanceof Error ? error.message : String(error) }, 'Redis did not answer')
      return otherwise
    }
  }
  const claim = async (name: string, milliseconds: number): Promise<number> => {
    const key = `${prefix}:claim:${name}`
    if ((await redis.set(key, '1', 'PX', milliseconds, 'NX')) !== null) return 0
    return Math.max(1, await redis.pttl(key))
  }
  const hold = async (name: string, milliseconds: number): Promise<AsyncDisposable | undefined> => {
    const key = `${prefix}:held:${name}`
    const taken = await unlessAway(redis.set(key, '1', 'PX', milliseconds, 'NX'), 'OK')
    if (taken === null) return undefined
    const renewal = setInterval(() => {
      void unlessAway(redis.pexpire(key, milliseconds), 0)
    }, milliseconds / 3).unref()
    return {
      [Symbol.asyncDispose]: async () => {
        clearInterval(renewal)
        await unlessAway(redis.del(key), 0)
      },
    }
  }
  const remember = async (name: string, value: Buffer): Promise<void> => {
    if (value.length > maxValueBytes) return
    await redis.set(`${prefix}:remembered:${name}`, value, 'EX', rememberedSeconds)
  }
  return {
    claim: (name, milliseconds) => unlessAway(claim(name, milliseconds), 0),
    hold,
    recall: async (name) =>
      (await unlessAway(redis.getBuffer(`${prefix}:remembered:${name}`), null)) ?? undefined,
    remember: (name, value) => unlessAway(remember(name, value), undefined),
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  }
}
