import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { containerProblem, dockerEngine } from './docker-engine.ts'
import { onFreePorts } from './free-port.ts'
import type { TlsCertificate } from './tls-certificate.ts'

const run = promisify(execFile)
const image = 'redis:7-alpine'

let containers: Promise<boolean> | undefined

/** A real Redis for one test, gone when it is disposed. */
export interface RedisServer extends AsyncDisposable {
  /** `redis://127.0.0.1:<port>`, or `rediss://`; the same after a restart. */
  readonly url: string
  /** Ends Redis with SIGKILL. */
  kill(): Promise<void>
  /** Starts Redis again on the same port and with the same data directory; resolves when it answers. */
  restart(): Promise<void>
}

/** The options of a test's Redis. */
export interface RedisServerOptions {
  /** Defaults to a free one. */
  port?: number
  /** True if every write is on disk before it is answered, so that it outlives a kill. Defaults to false. */
  appendonly?: boolean
  /** True when it is a cluster of this one node, with all slots. Defaults to false. */
  cluster?: boolean
  /** Port of the primary that it is a replica of. */
  replicaOf?: number
  /** Its certificate if it speaks only TLS; it is then a process of this machine. */
  tls?: TlsCertificate
}

/** Returns whether `startRedisServer` can work here: there is a `redis-server`, or a Docker engine that has Redis or can pull it. */
export async function redisAvailable(): Promise<boolean> {
  return (await redisBinaryAnswers()) || (await containersWork())
}

/**
 * Starts Redis in a container where a Docker engine answers, else from the `redis-server` of this machine, which is reported where an
 * engine answers that cannot pull Redis.
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const settings = [
    '--save',
    '',
    '--appendonly',
    options.appendonly ? 'yes' : 'no',
    '--appendfsync',
    'always',
    '--cluster-enabled',
    options.cluster ? 'yes' : 'no',
  ]
  const { tls, replicaOf } = options
  if (replicaOf !== undefined) settings.push('--replicaof', `127.0.0.1 ${replicaOf}`)
  if (tls !== undefined)
    return onFreePorts(1, ([port = 0]) =>
      startRedisProcess(port, [...settings, ...tlsSettings(tls, port)], 'rediss'),
    )
  const start = (await containersWork()) ? startContainer : startRedisProcess
  if (options.port !== undefined) return start(options.port, settings)
  return onFreePorts(2, ([port = 0, busPort = 0]) =>
    // By default nodes of a cluster use a port that the system may have given to a connection.
    start(port, options.cluster ? [...settings, '--cluster-port', String(busPort)] : settings),
  )
}

function tlsSettings({ certificate, key }: TlsCertificate, port: number): string[] {
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  const ports = ['--port', '0', '--tls-port', String(port), '--tls-cluster', 'yes']
  return [...ports, '--tls-auth-clients', 'no', ...files]
}

/** Starts Redis from the `redis-server` of this machine, with settings of its command line. */
export async function startRedisProcess(
  port: number,
  settings: string[],
  scheme = 'redis',
): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'wadi-redis-'))
  const start = () =>
    startBinary(['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, ...settings])
  let server = await start()
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    kill,
    restart: async () => {
      await kill()
      server = await start()
    },
    [Symbol.asyncDispose]: async () => {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function startBinary(arguments_: string[]): Promise<ChildProcess> {
  const server = spawn('redis-server', arguments_, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (output.includes('Ready to accept connections')) {
      server.stdout.resume()
      return server
    }
  }
  throw new Error(`redis-server ended before it was ready: ${output}`)
}

async function startContainer(port: number, settings: string[]): Promise<RedisServer> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: 6379, host: port })
    .withCommand(['redis-server', ...settings])
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start()
  const id = container.getId()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      await run('docker', ['kill', '--signal', 'KILL', id])
    },
    restart: async () => {
      await container.restart({ timeout: 0 })
    },
    [Symbol.asyncDispose]: async () => {
      await container.stop()
    },
  }
}

async function redisBinaryAnswers(): Promise<boolean> {
  return run('redis-server', ['--version'], { timeout: 2000 }).then(
    () => true,
    () => false,
  )
}

function containersWork(): Promise<boolean> {
  containers ??= containerProblem(image).then(async (problem) => {
    if (problem !== undefined && (await dockerEngine()) !== undefined) {
      console.error(`Redis runs as a process of this machine: ${problem}`)
    }
    return problem === undefined
  })
  return containers
}
