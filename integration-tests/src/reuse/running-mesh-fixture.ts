import { startMesh } from '@wadi/mesh/mesh.ts'
import { startRedisServer } from '@wadi/testing/redis-server.ts'
import { makeToolsDirectory, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { webhookSecret } from '../application-sets/webhook-fixture.ts'
import { connectGateway, type GatewayClient } from '../gateway-fixture.ts'
import { makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment } from '../mesh-fixture.ts'
import { startProcessMesh } from '../process-mesh-fixture.ts'

/** A mesh and what asks it. */
export interface Running extends AsyncDisposable {
  readonly address: string
  readonly gateway: GatewayClient
  /** Restarts what keeps results in memory; all that is on disk stays. */
  restart(): Promise<void>
}

type Settings = Readonly<Record<string, string>>

/** Operator's settings by which the directories of deleted Applications go, so that the past leaves nothing on the branch. */
const pruning = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm' },
  data: { 'sourceHydrator.prune': 'true' },
}

/** Starts a mesh in this process. */
export async function startRestartedMesh(gitUrl: string, settings: Settings): Promise<Running> {
  await using owned = new AsyncDisposableStack()
  const dataDirectory = await makeDataDirectory(await makeTestDirectory(owned))
  const environment = { ...quietEnvironment, ...settings }
  const open = async () => {
    await using opened = new AsyncDisposableStack()
    const mesh = opened.use(await startMesh({ dataDirectory, listen: '127.0.0.1:0', environment }))
    const gateway = opened.use(connectGateway(mesh.address, mesh.adminToken))
    await prepare(gateway, gitUrl)
    return { address: mesh.address, gateway, ended: opened.move() }
  }
  let current = await open()
  owned.defer(() => current.ended.disposeAsync())
  const moved = owned.move()
  return {
    get address() {
      return current.address
    },
    get gateway() {
      return current.gateway
    },
    restart: async () => {
      await current.ended.disposeAsync()
      current = await open()
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Starts a mesh with two hydrators, which are processes of their own that share a state and a queue; one of them, in turn, is restarted. */
export async function startPairedMesh(gitUrl: string, environment: Settings): Promise<Running> {
  await using owned = new AsyncDisposableStack()
  const redis = owned.use(await startRedisServer())
  const mesh = owned.use(
    await startProcessMesh({
      redis: redis.url,
      replicas: { hydrator: 2, 'appset-service': 0, 'cmp-server': 0 },
      together: ['repo-server', 'commit-server', 'api-gateway'],
      environment,
    }),
  )
  const { gateway } = mesh.fixture
  await prepare(gateway, gitUrl)
  const [address = ''] = mesh.addresses.get('api-gateway') ?? []
  const restarts = mesh.processes.hydrator.map((hydrator) => async () => {
    await hydrator.kill()
    await hydrator.start()
  })
  const moved = owned.move()
  return {
    address,
    gateway,
    restart: async () => {
      const [next, ...others] = restarts.splice(0)
      if (next === undefined) return
      restarts.push(...others, next)
      await next()
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** The renderers that pins of the edited repository name. */
export function toolsOfTests(): Disposable & { readonly environment: Record<string, string> } {
  if (renderersMissing !== undefined) return { environment: {}, [Symbol.dispose]: () => undefined }
  const directory = makeToolsDirectory()
  return {
    environment: { WADI_TOOLS_DIRECTORY: directory.path },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  }
}

async function prepare(gateway: GatewayClient, gitUrl: string): Promise<void> {
  for (const write of [false, true]) {
    const credentials = {
      repoUrl: gitUrl,
      isPrefix: true,
      ...gitUser,
      write,
      skipValidation: true,
      upsert: true,
    }
    await gateway.repositories.createRepository(credentials)
  }
  for (const resource of [pruning, webhookSecret]) await gateway.resources.applyResource({ resource })
}
