import { type Lane, stepOf } from '@wadi/concurrency/fair-order.ts'
import type { RedisConnection } from './redis-connection.ts'

/** The largest priority of BullMQ. Turns begin again when nothing waits and nothing runs; those after 170,000 jobs without a break are all the last. */
const maxTurn = 2_097_151

/** So long turns are remembered without an enqueue or a start, in seconds. */
const keptSeconds = 3_600

/** `FairOrder.enter` on what all processes share. A key that waits keeps its turn. */
const enter = `
local lanes, prioritized, active = KEYS[1], KEYS[2], KEYS[3]
local key, tenant, part, step = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local known = redis.call('HGET', lanes, 'key:' .. key)
if known then return cjson.decode(known).turn end
if redis.call('ZCARD', prioritized) == 0 and redis.call('LLEN', active) == 0 then redis.call('DEL', lanes) end
local parts = cjson.decode(redis.call('HGET', lanes, 'parts:' .. tenant) or '{}')
local before = parts[part] or 0
local rounds = 0
for name, count in pairs(parts) do
  if name ~= part then rounds = rounds + math.min(count, before + 1) end
end
parts[part] = before + 1
local now = tonumber(redis.call('HGET', lanes, 'now') or 1)
local next = tonumber(redis.call('HGET', lanes, 'next:' .. tenant) or 1)
local turn = math.min(math.max(now, next) + step * (before + rounds), ${maxTurn})
redis.call('HSET', lanes, 'parts:' .. tenant, cjson.encode(parts),
  'key:' .. key, cjson.encode({ turn = turn, tenant = tenant, part = part, step = step }))
redis.call('EXPIRE', lanes, ${keptSeconds})
return turn
`

/** `FairOrder.leave`: the key runs. */
const leave = `
local lanes, key = KEYS[1], ARGV[1]
local known = redis.call('HGET', lanes, 'key:' .. key)
if not known then return end
redis.call('HDEL', lanes, 'key:' .. key)
local job = cjson.decode(known)
local parts = cjson.decode(redis.call('HGET', lanes, 'parts:' .. job.tenant) or '{}')
local left = (parts[job.part] or 1) - 1
parts[job.part] = left > 0 and left or nil
redis.call('HSET', lanes, 'parts:' .. job.tenant, next(parts) and cjson.encode(parts) or '{}')
local now = tonumber(redis.call('HGET', lanes, 'now') or 1)
local nextTurn = tonumber(redis.call('HGET', lanes, 'next:' .. job.tenant) or 1)
redis.call('HSET', lanes, 'now', math.max(now, job.turn), 'next:' .. job.tenant, math.max(nextTurn, job.turn + job.step))
redis.call('EXPIRE', lanes, ${keptSeconds})
`

/** The fair order of a queue's jobs, in Redis, as priorities of BullMQ. */
export class RedisLanes {
  readonly #redis: RedisConnection
  readonly #keys: readonly [lanes: string, prioritized: string, active: string]

  /** @param queue begins the keys of the queue */
  constructor(redis: RedisConnection, queue: string) {
    this.#redis = redis
    this.#keys = [`${queue}:lanes`, `${queue}:prioritized`, `${queue}:active`]
  }

  /** Returns the priority of a key that begins to wait, or of one that waits. */
  async enter(key: string, lane: Lane): Promise<number> {
    const { tenant, part } = lane
    return Number(await this.#redis.eval(enter, 3, ...this.#keys, key, tenant, part, stepOf(lane)))
  }

  /** Notes that a key runs. */
  async leave(key: string): Promise<void> {
    await this.#redis.eval(leave, 1, this.#keys[0], key)
  }
}
