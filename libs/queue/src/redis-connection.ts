import { Redis } from 'ioredis'
import type { RedisOptions } from 'ioredis'
import { redisOptions } from './redis-address.ts'

const maxRetryDelayMs = 2_000
const commandTimeoutMs = 500

/**
 * Opens a connection whose commands wait while Redis is unreachable, so that a restart of Redis costs time only.
 * Returns before it is connected.
 */
export function openRedisConnection(url: string): Redis {
  return endingBetweenAttempts(
    connect(url, {
      maxRetriesPerRequest: null,
      retryStrategy,
    }),
  )
}

/** Opens a connection whose commands fail while Redis is away, for what can do without; it connects again by itself. */
export function openFailFastRedis(url: string): Redis {
  return connect(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    retryStrategy,
  })
}

function connect(url: string, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const address = redisOptions(url)
  return typeof address === 'string' ? new Redis(address, options) : new Redis({ ...address, ...options })
}

function retryStrategy(attempts: number): number {
  return Math.min(100 * attempts, maxRetryDelayMs)
}

/**
 * Makes `disconnect` end the connection, and every duplicate of it, also between two attempts to connect.
 * There ioredis 6.0.0 cancels the next attempt but neither emits `end` nor rejects the waiting commands, for which
 * BullMQ waits when it closes; one more attempt leads to both.
 */
function endingBetweenAttempts(connection: Redis): Redis {
  const disconnect = connection.disconnect.bind(connection)
  return Object.assign(connection, {
    disconnect: (reconnect = false) => {
      const isBetweenAttempts = connection.status === 'reconnecting' && !reconnect
      disconnect(reconnect)
      if (isBetweenAttempts) {
        // One that Redis rejects is tried again else.
        connection.options.retryStrategy = () => null
        connection.connect().then(
          () => disconnect(),
          () => undefined,
        )
      }
    },
    duplicate: (override: RedisOptions = {}) => {
      const { replyMapping: _, ...options } = Object.assign({}, connection.options, override)
      return endingBetweenAttempts(new Redis(options))
    },
  })
}
