import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { type RedisServer, startRedisServer } from '@wadi/testing/redis-server.ts'
import { connectGateway, type GatewayClient } from '../gateway-fixture.ts'
import {
  type ProcessMesh,
  processMeshToken,
  type ServiceProcess,
  startProcessMesh,
} from '../process-mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { BranchLedger, changeAll } from './branch-ledger-fixture.ts'
import { openStandIn } from './own-cluster-fixture.ts'

/** The size of the installation, and its pace. */
interface ChaosSize {
  readonly repositories: number
  readonly branchesOfEach: number
  /** Time for which a job stays with a hydrator that is gone. */
  readonly lockMs: number
}

const replicas = 2
const pollMs = 700
/** A poll and a half. */
const settleMs = 1.5 * pollMs

/**
 * Two of each service over a stand-in for a cluster, with Redis and repositories of several branches. Hydrators are processes of their own;
 * the other services share one for each of their replicas, as they are killed and replaced together.
 */
export class ChaosMesh implements AsyncDisposable {
  readonly mesh: ProcessMesh
  readonly ledger: BranchLedger
  readonly settleMs = settleMs
  readonly redis: RedisServer
  readonly #owned: AsyncDisposableStack
  readonly #runs = new Map<string, number>()

  private constructor(parts: {
    mesh: ProcessMesh
    ledger: BranchLedger
    redis: RedisServer
    owned: AsyncDisposableStack
  }) {
    this.mesh = parts.mesh
    this.ledger = parts.ledger
    this.redis = parts.redis
    this.#owned = parts.owned
  }

  /** Starts everything and hydrates every branch once. */
  static async start(size: ChaosSize): Promise<ChaosMesh> {
    await using owned = new AsyncDisposableStack()
    const cluster = owned.use(await openStandIn())
    const redis = owned.use(await startRedisServer())
    const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-chaos-')))
    const kubeconfig = path.join(directory, 'kubeconfig')
    await writeKubeconfig(kubeconfig, cluster.config)
    const client = owned.use(new KubernetesClient(cluster.config))
    const rest = { 'api-gateway': replicas, 'repo-server': replicas, 'commit-server': replicas }
    const mesh = owned.use(
      await startProcessMesh({
        replicas: { ...rest, hydrator: replicas, 'cmp-server': 0, 'appset-service': 0 },
        together: ['repo-server', 'commit-server', 'api-gateway'],
        redis: redis.url,
        entries: { hydrator: path.join(import.meta.dirname, 'quick-lock-hydrator-fixture.ts') },
        environment: {
          WADI_STORE: 'kubernetes',
          WADI_KUBECONFIG: kubeconfig,
          WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
          WADI_POLL_INTERVAL: `${pollMs}ms`,
          WADI_WRITE_STATUS: 'never',
          TEST_LOCK_MS: String(size.lockMs),
        },
      }),
    )
    const repositories: RepositoryFixture[] = []
    for (let index = 0; index < size.repositories; index++) {
      repositories.push(await mesh.fixture.createRepository(`r${index}`))
    }
    const ledger = new BranchLedger(client, { repositories, branchesOfEach: size.branchesOfEach })
    await ledger.push()
    for (const application of ledger.applications) await mesh.fixture.apply(application)
    await ledger.hydrated()
    await delay(settleMs)
    return new ChaosMesh({ mesh, ledger, redis, owned: owned.move() })
  }

  /** A change of all repositories with trouble. */
  async change(trouble?: () => Promise<void>): Promise<number> {
    return changeAll(this, trouble)
  }

  /** Kills one of each service while commits are pushed, and starts it again when a change is hydrated. */
  async killDuringRuns(): Promise<number> {
    const { processes, git } = this.mesh
    const pushing = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    git.listen(async ({ path: asked }) => {
      if (asked.endsWith('/git-receive-pack')) {
        pushing.resolve()
        await released.promise
      }
      return undefined
    })
    const firsts = [processes.hydrator[0], processes['repo-server'][0], processes['commit-server'][0]]
    const victims = new Set(firsts.flatMap((service) => service ?? []))
    const runsPerChange = await this.change(async () => {
      await pushing.promise
      await Promise.all([...victims].map((service) => service.kill()))
      git.listen(undefined)
      released.resolve()
    })
    await Promise.all([...victims].map((service) => service.start()))
    return runsPerChange
  }

  /** Replaces every process by a new one, each gone from its callers' sight a moment before it ends, and calls meanwhile; returns the errors. */
  async restartAll(): Promise<{ calls: number; errors: unknown[] }> {
    const {
      'api-gateway': gateways,
      hydrator,
      'repo-server': repo,
      'commit-server': commit,
    } = this.mesh.processes
    const ready = new Set(gateways)
    const outcome = { calls: 0, errors: [] as unknown[] }
    const stop = new AbortController()
    const calling = [0, 1].map((caller) => callUntil(stop.signal, { ready, caller, outcome }))
    const replace = async (service: ServiceProcess | undefined) => {
      if (service === undefined) return
      const isReady = ready.delete(service)
      // As the pause before SIGTERM that the chart gives a pod, though shorter.
      await delay(300)
      service.signal('SIGTERM')
      await service.ended()
      await service.start()
      if (isReady) ready.add(service)
    }
    for (const [index, gateway] of gateways.entries()) {
      const together = new Set([repo[index], commit[index], hydrator[index], gateway])
      await Promise.all([...together].map(replace))
    }
    stop.abort()
    await Promise.all(calling)
    return outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }

  /** Runs that finished since the last call. */
  async countRuns(): Promise<number> {
    const counts = this.mesh.processes.hydrator.map(async (hydrator) => {
      if (!hydrator.isRunning) return 0
      const key = `${hydrator.address} ${hydrator.pid}`
      const now = await finishedRuns(hydrator)
      const since = now - (this.#runs.get(key) ?? 0)
      this.#runs.set(key, now)
      return since
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }
}

async function finishedRuns({ metricsAddress }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${metricsAddress}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('wadi_hydrations_total{'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

async function callUntil(
  signal: AbortSignal,
  {
    ready,
    caller,
    outcome,
  }: { ready: ReadonlySet<ServiceProcess>; caller: number; outcome: { calls: number; errors: unknown[] } },
): Promise<void> {
  using clients = new DisposableStack()
  const known = new Map<string, GatewayClient>()
  for (let turn = caller; !signal.aborted; turn++) {
    const clientNow = (): GatewayClient => {
      const gateways = [...ready]
      const gateway = gateways[turn % gateways.length]
      if (gateway === undefined) throw new Error('no gateway is ready')
      const key = `${gateway.address} ${gateway.pid}`
      const client = known.get(key) ?? clients.use(connectGateway(gateway.address, processMeshToken))
      known.set(key, client)
      return client
    }
    try {
      await clientNow().applications.listApplications({})
      await clientNow().applications.getManifests({ name: 'app-0-0' })
      await clientNow().applications.hydrateApplication({ name: 'app-0-0' })
      outcome.calls += 3
    } catch (error) {
      outcome.errors.push(error)
    }
    // Many calls meet each replacement; each of them is a run, too.
    await delay(150)
  }
}
