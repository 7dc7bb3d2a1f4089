import type { Redis } from 'ioredis'
import type { QueueFinding } from './branch-queue.ts'
import { primariesOf, type RedisConnection } from './redis-connection.ts'

/** Redis without eviction refuses writes when its memory is full. */
const highShare = 0.9

/** Returns the policy of a Redis that may remove jobs; undefined for one that removes nothing. */
export async function evictionPolicy(connection: RedisConnection): Promise<string | undefined> {
  const memories = await Promise.all(primariesOf(connection).map((server) => server.info('memory')))
  const policies = memories.map((memory) => facts(memory)['maxmemory_policy'])
  return policies.find((policy) => policy !== 'noeviction')
}

/** Finds settings and troubles of a Redis by which jobs are lost or refused; what all servers of a cluster have is said once. */
export async function redisFindings(connection: RedisConnection): Promise<QueueFinding[]> {
  const found = (await Promise.all(primariesOf(connection).map(findingsOf))).flat()
  return [...new Map(found.map((finding) => [finding.message, finding])).values()]
}

async function findingsOf(server: Redis): Promise<QueueFinding[]> {
  const memory = facts(await server.info('memory'))
  const persistence = facts(await server.info('persistence'))
  const findings: QueueFinding[] = []
  const policy = memory['maxmemory_policy']
  if (policy !== undefined && policy !== 'noeviction') {
    findings.push({
      severity: 'warning',
      message: `Redis may evict queued jobs: its maxmemory-policy is ${policy}`,
      remedy: 'redis-cli config set maxmemory-policy noeviction, and the same in its configuration',
    })
  }
  const [used, most] = [Number(memory['used_memory']), Number(memory['maxmemory'])]
  if (most > 0 && used > most * highShare) {
    findings.push({
      severity: 'warning',
      message: `Redis uses ${used} of ${most} bytes, and refuses writes when they are used up`,
      remedy: 'redis-cli config set maxmemory BYTES, and the same in its configuration',
    })
  }
  for (const [field, what] of Object.entries(writesToDisk)) {
    if (persistence[field] !== 'err') continue
    findings.push({
      severity: 'error',
      message: `Redis could not write ${what} to its disk the last time, and may refuse writes`,
      remedy: 'make room on the disk of Redis, then redis-cli bgsave',
    })
  }
  if (persistence['aof_enabled'] === '0' && (await savesNothing(server))) {
    findings.push({
      severity: 'info',
      message:
        'Redis keeps nothing on disk: after its restart, branches that waited wait for the next poll of their repositories',
      remedy: 'redis-cli config set appendonly yes, and the same in its configuration',
    })
  }
  return findings
}

const writesToDisk = { rdb_last_bgsave_status: 'a snapshot', aof_last_write_status: 'its log' }

/** Redis as a service often forbids CONFIG; it keeps its data as its plan says. */
async function savesNothing(server: Redis): Promise<boolean> {
  const answer: unknown = await server.config('GET', 'save').catch(() => undefined)
  return Array.isArray(answer) && answer[1] === ''
}

/** Reads the lines `name:value` of INFO. */
function facts(info: string): Partial<Record<string, string>> {
  const lines = info.split(/\r?\n/).map((line) => /^(\w+):(.*)$/.exec(line))
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])))
}
