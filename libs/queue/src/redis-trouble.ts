import type { Logger } from 'pino'

/** The words of Redis when its setup is of no use, each with the advice for it. */
const advices: [RegExp, string][] = [
  [
    /CROSSSLOT|non local key/,
    'Redis runs in cluster mode, where all keys of the queue must share a slot: write redis-cluster:// in place of redis:// in WADI_REDIS_URL, or use a Redis without cluster mode',
  ],
  [
    /^(?:MOVED|ASK) /,
    'Redis is a cluster of several nodes: write redis-cluster:// in place of redis:// in WADI_REDIS_URL',
  ],
  [/CLUSTERDOWN/, 'the Redis cluster is down or not all of its slots are assigned: see CLUSTER INFO'],
  [/READONLY/, 'WADI_REDIS_URL names a replica, which takes no writes: name the primary'],
  [/^NOAUTH/, 'Redis asks for a password: put it before the host in WADI_REDIS_URL'],
  [
    /^WRONGPASS|invalid password|without any password configured/,
    'Redis rejects the user or password of WADI_REDIS_URL',
  ],
  [
    /^NOPERM/,
    'the user of WADI_REDIS_URL lacks rights: allow all commands and the keys that begin with WADI_REDIS_PREFIX',
  ],
  [/^OOM/, 'Redis is full: raise its maxmemory'],
  [/^MISCONF/, 'Redis takes no writes as it cannot save to its disk: see its log'],
  [/unknown command|version needs to be/i, 'Redis is too old: Wadi needs Redis 6.2 or newer, or Valkey'],
]

const allAdvice = new Set(advices.map(([, advice]) => advice))

/** Returns what an operator has to do about an error of Redis; undefined for one that may pass by itself. */
export function redisAdvice(message: string): string | undefined {
  return advices.find(([pattern]) => pattern.test(message))?.[1]
}

/** Returns the error of a node behind that of a whole cluster, which only says that there was one. */
export function redisError(error: Error): Error {
  return 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error
}

/** Advice is repeated after this time at the earliest, in milliseconds: what checks whether Redis is of use cannot try everything. */
const repeatMs = 10 * 60_000

/** The trouble with Redis, logged once for as long as it lasts. */
export class RedisTrouble {
  readonly #logger: Logger
  /** When each was said. */
  readonly #said = new Map<string, number>()
  #message: string | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** The advice of the present trouble; undefined without one. */
  get advice(): string | undefined {
    return this.#message === undefined ? undefined : redisAdvice(this.#message)
  }

  /** Records an error and returns its advice. Messages alone: an error of ioredis carries the arguments of its command, such as a password. */
  record(error: Error, text: string): string | undefined {
    const { message } = redisError(error)
    const advice = redisAdvice(message)
    const subject = advice ?? message
    const level = this.#said.has(subject) ? 'debug' : 'warn'
    if (level === 'warn') this.#said.set(subject, performance.now())
    this.#message = message
    this.#logger[level]({ error: message }, advice === undefined ? text : `${text}: ${advice}`)
    return advice
  }

  /** Records that Redis does what the queue needs. */
  clear(): void {
    if (this.#message !== undefined) this.#logger.debug('Redis is of use again')
    this.#message = undefined
    for (const [subject, at] of this.#said) {
      if (!allAdvice.has(subject) || performance.now() - at > repeatMs) this.#said.delete(subject)
    }
  }
}
