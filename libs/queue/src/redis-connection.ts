import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import { redisAddress } from './redis-address.ts'

const maxRetryDelayMs = 2_000
const commandTimeoutMs = 500

/**
 * A connection on which a command waits so long for any byte is broken, in milliseconds: a machine that is gone says nothing, and the system would try for a
 * quarter of an hour. BullMQ lets Redis block for 10 s at the most.
 */
const maxSilenceMs = 30_000

/** Pause before a command follows a slot that moved, in milliseconds: a cluster that fails over can point in a circle. */
const movedPauseMs = 100

/** A command fails after so many pauses, a minute: longer than a failover takes, and the error says what is wrong with the cluster. */
const maxRedirections = 600

/** A connection to one Redis, its primary behind Sentinels, or the nodes of a cluster. */
export type RedisConnection = Redis | Cluster

/**
 * Opens a connection whose commands wait while Redis is unreachable, so that a restart of Redis costs time only.
 * Returns before it is connected.
 * @param socketTimeout after which a connection that does not answer is replaced, in milliseconds; 30,000 by default
 */
export function openRedisConnection(url: string, socketTimeout = maxSilenceMs): RedisConnection {
  const connection = connect(
    url,
    { maxRetriesPerRequest: null, socketTimeout },
    { retryDelayOnMoved: movedPauseMs, maxRedirections },
  )
  return connection instanceof Cluster ? endingCluster(connection) : endingRedis(connection)
}

/** Opens a connection whose commands fail while Redis is away, for what can do without; it connects again by itself. */
export function openFailFastRedis(url: string): RedisConnection {
  const enableOfflineQueue = false
  return connect(
    url,
    {
      enableOfflineQueue,
      maxRetriesPerRequest: 0,
      commandTimeout: commandTimeoutMs,
      socketTimeout: maxSilenceMs,
    },
    { enableOfflineQueue },
  )
}

/** Opens another connection like this one. */
export function duplicateOf(connection: RedisConnection): RedisConnection {
  return connection instanceof Cluster ? connection.duplicate() : connection.duplicate()
}

/** Returns the connections to all servers that hold data. */
export function primariesOf(connection: RedisConnection): Redis[] {
  return connection instanceof Cluster ? connection.nodes('master') : [connection]
}

function connect(
  url: string,
  options: Omit<RedisOptions, 'replyMapping'>,
  clusterOptions: Omit<ClusterOptions, 'replyMapping'>,
): RedisConnection {
  const address = redisAddress(url)
  if (address.kind === 'server') return new Redis(address.url, { ...options, retryStrategy })
  if (address.kind === 'sentinels') return new Redis({ ...address.options, ...options, retryStrategy })
  const { enableOfflineQueue: _, ...ofNodes } = options
  return new Cluster([...address.nodes], {
    ...clusterOptions,
    clusterRetryStrategy: retryStrategy,
    // Certificates are for names, which ioredis would exchange for addresses.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: { ...address.options, ...ofNodes },
  })
}

function retryStrategy(attempts: number): number {
  return Math.min(100 * attempts, maxRetryDelayMs)
}

function endingRedis(connection: Redis): Redis {
  const giveUp = () => (connection.options.retryStrategy = () => null)
  const duplicates: Redis[] = []
  return Object.assign(connection, {
    disconnect: endWith(duplicates, connection, giveUp),
    duplicate: (override: RedisOptions = {}) => {
      const { replyMapping: _, ...options } = Object.assign({}, connection.options, override)
      return keptIn(duplicates, endingRedis(new Redis(options)))
    },
  })
}

function endingCluster(connection: Cluster): Cluster {
  const giveUp = () => (connection.options.clusterRetryStrategy = () => null)
  const duplicates: Cluster[] = []
  const duplicate = connection.duplicate.bind(connection)
  return Object.assign(connection, {
    disconnect: endWith(duplicates, connection, giveUp),
    duplicate: (...overrides: Parameters<Cluster['duplicate']>) =>
      keptIn(duplicates, endingCluster(duplicate(...overrides))),
  })
}

function keptIn<Connection>(connections: Connection[], made: Connection): Connection {
  connections.push(made)
  return made
}

/**
 * Returns a `disconnect` that ends the connection also between two attempts to connect, and its duplicates, which BullMQ leaves behind when
 * it does not close.
 * There ioredis 6.0.0 cancels the next attempt but neither emits `end` nor rejects the waiting commands, for which
 * BullMQ waits when it closes; one more attempt leads to both. A cluster that has ended would begin to end again, for ever.
 */
function endWith(
  duplicates: readonly RedisConnection[],
  connection: RedisConnection,
  giveUp: () => void,
): Redis['disconnect'] {
  const disconnect = connection.disconnect.bind(connection)
  return (reconnect = false) => {
    if (!reconnect) for (const duplicate of duplicates) duplicate.disconnect()
    if (connection.status === 'end') return
    const isBetweenAttempts = connection.status === 'reconnecting' && !reconnect
    disconnect(reconnect)
    if (!isBetweenAttempts) return
    setImmediate(() => {
      // BullMQ 6.7.0 has a blocking cluster connect again at once.
      if (connection.status === 'connecting') return
      // One that Redis rejects is tried again else.
      giveUp()
      connection.connect().then(
        () => disconnect(),
        () => undefined,
      )
    })
  }
}
