import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onFreePorts } from './free-port.ts'
import { type RedisServer, startRedisProcess } from './redis-server.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const primaries = 3
const failoverMs = 500

/** Three primaries with a replica each, which takes its place when that is gone for half a second. */
export interface RedisCluster extends AsyncDisposable {
  /** `redis-cluster://127.0.0.1:<port>`, that of one of its nodes. */
  readonly url: string
  readonly servers: readonly RedisServer[]
  /** Returns the primary that has a key. */
  primaryOf: (key: string) => Promise<RedisServer>
}

/** Starts a cluster of Redis as processes of this machine. */
export async function startRedisCluster(): Promise<RedisCluster> {
  await using owned = new AsyncDisposableStack()
  const servers: RedisServer[] = []
  for (let node = 0; node < 2 * primaries; node++) {
    const server = await onFreePorts(2, ([port = 0, busPort = 0]) =>
      startRedisProcess(port, settings(busPort)),
    )
    servers.push(owned.use(server))
  }
  const addresses = servers.map(({ url }) => new URL(url).host)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'])
  // A replica without the data of its primary never takes its place.
  await until(async () => (await Promise.all(servers.map(isReplica))).filter(Boolean).length === primaries)
  const kept = owned.move()
  return {
    url: `redis-cluster://${addresses[0]}`,
    servers,
    primaryOf: async (key) => {
      for (const server of servers) if (await answersFor(server, key)) return server
      throw new Error(`no node of the cluster answers for ${key}`)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function settings(busPort: number): string[] {
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]
  return [
    '--save',
    '',
    '--repl-diskless-sync-delay',
    '0',
    ...cluster,
    '--cluster-node-timeout',
    String(failoverMs),
  ]
}

async function isReplica({ url }: RedisServer): Promise<boolean> {
  const { stdout } = await run('redis-cli', ['-u', url, 'INFO', 'replication'])
  return stdout.includes('master_link_status:up')
}

/** Other nodes name the one that has the key. */
async function answersFor({ url }: RedisServer, key: string): Promise<boolean> {
  const { stdout } = await run('redis-cli', ['-u', url, 'EXISTS', key])
  return !stdout.startsWith('MOVED')
}
