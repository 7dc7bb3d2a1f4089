import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onFreePorts } from './free-port.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'

/** A primary and a replica, with a Sentinel that makes the replica the primary when that is gone for half a second. */
export interface WatchedRedis extends AsyncDisposable {
  /** `redis-sentinel://127.0.0.1:<port>#wadi` */
  readonly url: string
  readonly primary: RedisServer
}

/** Starts Redis with a Sentinel, as processes of this machine. */
export async function startWatchedRedis(): Promise<WatchedRedis> {
  await using owned = new AsyncDisposableStack()
  const primary = owned.use(await startRedisServer())
  const { port: primaryPort } = new URL(primary.url)
  owned.use(await startRedisServer({ replicaOf: Number(primaryPort) }))
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-sentinel-'))).path
  const port = await onFreePorts(1, async ([free = 0]) => {
    const file = path.join(directory, 'sentinel.conf')
    await writeFile(
      file,
      `bind 127.0.0.1\nport ${free}\ndir ${directory}\nsentinel monitor wadi 127.0.0.1 ${primaryPort} 1\nsentinel down-after-milliseconds wadi 500\nsentinel failover-timeout wadi 3000\n`,
    )
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'inherit'] })
    owned.defer(async () => {
      if (child.kill('SIGKILL')) await once(child, 'exit')
    })
    let output = ''
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      output += String(chunk)
      // It must know the replica before the primary may go.
      if (!/\+slave slave/.test(output)) continue
      child.stdout.resume()
      return free
    }
    throw new Error(`Sentinel ended before it was ready: ${output}`)
  })
  const kept = owned.move()
  return {
    url: `redis-sentinel://127.0.0.1:${port}#wadi`,
    primary,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
