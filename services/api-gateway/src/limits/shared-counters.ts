import { openFailFastRedis } from '@wadi/queue/redis-connection.ts'
import { redisAdvice, redisError } from '@wadi/queue/redis-trouble.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'

/** A counter: its name, the number of points allowed, and the seconds for which they are remembered. */
interface CounterOptions {
  name: string
  points: number
  duration: number
}

/** Counters that all gateways share in Redis. */
export interface SharedCounters extends AsyncDisposable {
  /** Counters whose calls fail while Redis is away. */
  strict: (options: CounterOptions) => RateLimiterRedis
  /** Counters that continue in the memory of this process while Redis is away. */
  insured: (options: CounterOptions) => RateLimiterRedis
  /** Returns the error; undefined while Redis answers. */
  problem: () => string | undefined
}

/** Connects to the Redis of the gateways. A call does not wait for a Redis that is away; connecting goes on until disposal. */
export function openSharedCounters(url: string, logger: Logger): SharedCounters {
  const redis = openFailFastRedis(url)
  let isAway = false
  redis.on('error', (error) => {
    const { message } = redisError(error)
    if (!isAway)
      // Its message alone: it carries the arguments of the command, which can be a password.
      logger.warn(
        { error: message, advice: redisAdvice(message) },
        'Redis is not available: calls are counted in this process alone',
      )
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) logger.info('Redis is available again: calls are counted over all gateways')
    isAway = false
  })
  const strict = ({ name, points, duration }: CounterOptions, insurance?: RateLimiterMemory) =>
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `wadi:counts:${name}`,
      points,
      duration,
      rejectIfRedisNotReady: true,
      ...(insurance && { insuranceLimiter: insurance }),
    })
  return {
    strict: (options) => strict(options),
    insured: (options) => strict(options, new RateLimiterMemory(options)),
    problem: () =>
      isAway
        ? 'Redis is not available: calls and failed sign-ins are counted in this process alone'
        : undefined,
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  }
}
