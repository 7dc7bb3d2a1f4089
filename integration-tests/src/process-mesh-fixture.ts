import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { onFreePorts } from '@wadi/testing/free-port.ts'
import type { BundledName } from './bundled-services-fixture.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from './hydration-fixture.ts'
import { gitUser, type ListenedGitServer, quietEnvironment, startListenedGitServer } from './mesh-fixture.ts'

/** The services, each a process of its own. */
const names = [
  'cmp-server',
  'repo-server',
  'commit-server',
  'appset-service',
  'hydrator',
  'api-gateway',
] as const
type ServiceName = (typeof names)[number]

const services = join(import.meta.dirname, '../../services')
const bundleEntry = join(import.meta.dirname, 'bundled-services-fixture.ts')
const startDeadlineMs = 120_000
const endDeadlineMs = 60_000
/** The operator's token. */
export const processMeshToken = 'wadi_token-of-the-integration-tests'

/** One process of the mesh. */
export class ServiceProcess implements AsyncDisposable {
  readonly name: string
  /** `http://127.0.0.1:<port>`, the same after a restart. */
  readonly address: string
  /** The address of the service's metrics. */
  readonly metricsAddress: string
  readonly #entry: string
  readonly #environment: Record<string, string>
  #child: ChildProcess | undefined

  constructor(parts: {
    name: string
    address: string
    metricsAddress: string
    entry: string
    environment: Record<string, string>
  }) {
    this.name = parts.name
    this.address = parts.address
    this.metricsAddress = parts.metricsAddress
    this.#entry = parts.entry
    this.#environment = parts.environment
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Starts the process; resolves when it takes calls. */
  async start(): Promise<void> {
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, NODE_COMPILE_CACHE: compileCache, ...this.#environment }
    const endWithParent = ['--import', import.meta.resolve('@wadi/testing/end-with-parent.ts')]
    const args = [...nodeOptions, ...endWithParent, this.#entry]
    this.#child = spawn(process.execPath, args, { env, stdio: ['pipe', 'inherit', 'inherit'] })
    const deadline = performance.now() + startDeadlineMs
    while (!(await this.#isReady())) {
      const { exitCode } = this.#child
      if (exitCode !== null) throw new Error(`${this.name} ended with status ${exitCode} before it was ready`)
      if (performance.now() > deadline) throw new Error(`${this.name} was not ready in ${startDeadlineMs} ms`)
      // Asking a server that does not listen yet takes a millisecond of a processor, and many start at a time.
      await pause(60)
    }
  }

  /** Ends the process with SIGKILL. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.ended()
  }

  /** Sends a signal: SIGSTOP freezes the process, SIGCONT wakes it, SIGTERM asks it to end. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Resolves when the process is gone, however it ended; fails when it lives on for a minute. */
  async ended(): Promise<void> {
    if (this.#child === undefined || !this.isRunning) return
    await once(this.#child, 'exit', { signal: AbortSignal.timeout(endDeadlineMs) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }

  async #isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(2000)
    // Without a plugin cmp-server serves and says that it is not ready.
    const path = this.name === 'cmp-server' ? 'healthz' : 'readyz'
    return fetch(`${this.address}/${path}`, { signal }).then(
      (answer) => answer.ok,
      () => false,
    )
  }
}

/** The numbers of processes. */
export interface ProcessMeshOptions {
  /** Processes of each service; one when not given. */
  replicas?: Partial<Record<ServiceName, number>>
  /** Redis for the queue; without it each hydrator has a queue of its own. */
  redis?: string
  /**
   * Services that share a process for each replica of the gateway, which is one of them: what ends one of them ends all. `processes` has the
   * process under each of their names.
   */
  together?: readonly BundledName[]
  /** Entry files in place of `services/<name>/src/main.ts`. */
  entries?: Partial<Record<ServiceName, string>>
  environment?: Record<string, string>
  /** File with the plugin that cmp-server runs. */
  plugin?: string
  /** Returns the variables of one service besides `environment`. */
  environmentOf?: (service: ServiceName) => Record<string, string>
}

/** The services as processes on loopback ports with one data directory, and a git server beside them. */
export interface ProcessMesh extends AsyncDisposable {
  fixture: HydrationFixture
  git: ListenedGitServer
  /** The processes by service. */
  processes: Record<ServiceName, ServiceProcess[]>
  /** `http://127.0.0.1:<port>` of each service, also of those that share a process. */
  addresses: ReadonlyMap<ServiceName, readonly string[]>
}

/** Starts every service as a process of its own. */
export async function startProcessMesh(options: ProcessMeshOptions = {}): Promise<ProcessMesh> {
  const count = names.reduce((sum, name) => sum + replicasOf(name, options), 0)
  // One for calls and one for numbers.
  return onFreePorts(2 * count, (ports) => startOnPorts(ports, options))
}

function replicasOf(name: ServiceName, { replicas }: ProcessMeshOptions): number {
  return replicas?.[name] ?? 1
}

async function startOnPorts(freePorts: readonly number[], options: ProcessMeshOptions): Promise<ProcessMesh> {
  const ports = freePorts.values()
  const nextAddress = () => `http://127.0.0.1:${ports.next().value}`
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const git = await startListenedGitServer()
  owned.use(git.server)
  const addresses = new Map<ServiceName, string[]>()
  for (const name of names) {
    addresses.set(name, Array.from({ length: replicasOf(name, options) }, nextAddress))
  }
  const list = (name: ServiceName): string => (addresses.get(name) ?? []).join(',')
  const dataDirectory = await makeDataDirectory(directory)
  const shared = {
    ...quietEnvironment,
    WADI_DATA_DIR: dataDirectory,
    WADI_SERVICE_KEY_FILE: join(dataDirectory, 'service.key'),
    WADI_ADMIN_TOKEN: processMeshToken,
    WADI_AUDIT_FILE: join(directory, 'audit.log'),
    WADI_REPO_SERVERS: list('repo-server'),
    WADI_COMMIT_SERVERS: list('commit-server'),
    WADI_HYDRATORS: list('hydrator'),
    WADI_APPSET_SERVICES: list('appset-service'),
    ...(options.plugin !== undefined && {
      WADI_PLUGIN: options.plugin,
      WADI_CMP_SERVERS: list('cmp-server'),
    }),
    ...(options.redis !== undefined && { WADI_REDIS_URL: options.redis }),
    ...options.environment,
  }
  const startOne = async (name: ServiceName, own: Record<string, string>, entry: string) => {
    const { WADI_LISTEN = '', WADI_METRICS_LISTEN = '', ...rest } = own
    const environment = {
      ...shared,
      ...options.environmentOf?.(name),
      ...rest,
      WADI_LISTEN,
      WADI_METRICS_LISTEN,
    }
    const [address, metricsAddress] = [`http://${WADI_LISTEN}`, `http://${WADI_METRICS_LISTEN}`]
    const service = owned.use(new ServiceProcess({ name, address, metricsAddress, entry, environment }))
    await service.start()
    return service
  }
  const listeners = (name: ServiceName, index: number) => ({
    WADI_LISTEN: new URL(addresses.get(name)?.[index] ?? '').host,
    WADI_METRICS_LISTEN: new URL(nextAddress()).host,
  })
  const { together = [] } = options
  const startTogether = async (index: number): Promise<ServiceProcess> => {
    const bundled = Object.fromEntries(together.map((name) => [name, listeners(name, index)]))
    const gateway = bundled['api-gateway'] ?? listeners('api-gateway', index)
    return startOne('api-gateway', { ...gateway, TEST_SERVICES: JSON.stringify(bundled) }, bundleEntry)
  }
  const replicas = (name: ServiceName) => (addresses.get(name) ?? []).map((_, index) => index)
  const bundles = together.length === 0 ? [] : Promise.all(replicas('api-gateway').map(startTogether))
  const start = async (name: ServiceName): Promise<ServiceProcess[]> => {
    if (together.some((one) => one === name)) return bundles
    const entry = options.entries?.[name] ?? join(services, name, 'src/main.ts')
    const starting = replicas(name).map((index) => startOne(name, listeners(name, index), entry))
    return Promise.all(starting)
  }
  const processes = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await start(name)] as const)),
  ) as Record<ServiceName, ServiceProcess[]>
  const [address = ''] = addresses.get('api-gateway') ?? []
  const fixture = new HydrationFixture({ address, token: processMeshToken, directory, git: git.server })
  owned.use(fixture)
  await fixture.addCredentials({ repoUrl: git.server.url, isPrefix: true, ...gitUser })
  const moved = owned.move()
  return {
    fixture,
    git,
    processes,
    addresses,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
