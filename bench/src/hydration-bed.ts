import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type BedServer, startBedServer } from './bed-server.ts'
import { type DryRepository, makeDryRepository, type MonorepoGenerator } from './dry-repository.ts'
import { connectGateway, type Gateway } from './gateway.ts'
import { HydratedBranches } from './hydrated-branches.ts'
import type { Cost } from './measurement.ts'
import { type MeshProcess, startMeshProcess } from './mesh-process.ts'
import { generateMonorepo } from './monorepo/generate-monorepo.ts'
import type { MonorepoApplication } from './monorepo/monorepo-application.ts'
import { cpuSeconds } from './process-tree.ts'

/** A mesh that knows the Applications of a monorepo, of which nothing has been pushed yet. */
export interface HydrationBed extends AsyncDisposable {
  readonly dry: DryRepository
  readonly mesh: MeshProcess
  readonly branches: HydratedBranches
  readonly server: BedServer
  readonly gateway: Gateway
  /** Pushes a dry commit, notifies the mesh with a webhook and waits for what `done` waits for, then until nothing is under way. */
  hydrate(push: () => Promise<string>, done: (drySha: string) => Promise<void>): Promise<Cost>
}

/** The options of a bed. */
export interface BedOptions {
  /** The generator that writes the repository; `generateMonorepo` by default. */
  readonly generate?: MonorepoGenerator
  /** The round trip time to the git server; absent for one on this machine. */
  readonly roundTripMs?: number
  /** Settings of the mesh, see `startMeshProcess`. */
  readonly settings?: Readonly<Record<string, string>>
}

const callsAtATime = 16
const settlePollMilliseconds = 15
const failurePollMilliseconds = 10_000

/** Starts a git server with a password and a mesh, and creates the Applications through the gateway. */
export async function openHydrationBed(
  directory: string,
  applications: number,
  toolDirectory: string,
  { generate = generateMonorepo, roundTripMs, settings }: BedOptions = {},
): Promise<HydrationBed> {
  await using resources = new AsyncDisposableStack()
  await mkdir(directory, { recursive: true })
  const root = path.join(directory, 'git')
  await mkdir(root)
  const server = resources.use(await startBedServer(directory, root, roundTripMs))
  const dry = await makeDryRepository(server, directory, applications, generate)
  const mesh = resources.use(await startMeshProcess(directory, toolDirectory, settings))
  const gateway = await connectGateway(mesh)
  const credentials = { repoUrl: dry.url, ...server.credentials }
  await gateway.repositories.createRepository(credentials)
  await gateway.repositories.createRepository({ ...credentials, write: true })
  await createApplications(gateway, dry)
  const sentinels = firstOfEachBranch(dry.applications)
  const branches = new HydratedBranches(
    dry.bare,
    sentinels.map(({ branch }) => branch),
  )
  // Nothing can be hydrated before the first push; the runs that found this out must be over.
  await settled(gateway, sentinels, '')
  const owned = resources.move()
  return {
    dry,
    mesh,
    branches,
    server,
    gateway,
    async hydrate(push, done) {
      const drySha = await push()
      const cpuBefore = cpuSeconds(mesh.pid)
      const started = performance.now()
      await gateway.webhook(dry.url, drySha)
      const ended = new AbortController()
      await Promise.race([done(drySha), failed(gateway, sentinels, drySha, ended.signal)])
      ended.abort()
      const wall = (performance.now() - started) / 1000
      await settled(gateway, sentinels, drySha)
      return { wall, cpu: cpuSeconds(mesh.pid) - cpuBefore }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function createApplications(gateway: Gateway, { applications, url }: DryRepository): Promise<void> {
  const waiting = [...applications]
  const create = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await gateway.applications.createApplication({ application: applicationObject(next, url) })
    }
  }
  await Promise.all(Array.from({ length: callsAtATime }, create))
}

/** Waits until the newest operation of every branch is over: a success for `drySha`, or any end when that is empty. */
async function settled(
  gateway: Gateway,
  sentinels: readonly MonorepoApplication[],
  drySha: string,
): Promise<void> {
  const isOver = async ({ name }: MonorepoApplication): Promise<boolean> => {
    const operation = await newestOperation(gateway, name)
    const phase = at(operation, 'phase')
    if (drySha === '') return phase === 'Failed' || phase === 'Hydrated'
    if (at(operation, 'drySHA') !== drySha || phase === 'Hydrating') return false
    if (phase !== 'Hydrated') throw new Error(`${name}: ${String(at(operation, 'message'))}`)
    return true
  }
  for (const sentinel of sentinels) {
    while (!(await isOver(sentinel))) await pause(settlePollMilliseconds)
  }
  // Applications that were created last are looked at after a moment of quiet.
  if (drySha === '') await pause(1_000)
}

/** Throws when a branch cannot be hydrated; looks seldom, so that it costs the mesh nothing. */
async function failed(
  gateway: Gateway,
  sentinels: readonly MonorepoApplication[],
  drySha: string,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await pause(failurePollMilliseconds, undefined, { signal: ended })
    for (const { name } of sentinels) {
      const operation = await newestOperation(gateway, name)
      if (at(operation, 'drySHA') === drySha && at(operation, 'phase') === 'Failed') {
        throw new Error(`${name}: ${String(at(operation, 'message'))}`)
      }
    }
  }
}

async function newestOperation(gateway: Gateway, name: string): Promise<unknown> {
  const { application } = await gateway.applications.getApplication({ name })
  return at(at(at(application, 'status'), 'sourceHydrator'), 'currentOperation')
}

function firstOfEachBranch(applications: readonly MonorepoApplication[]): MonorepoApplication[] {
  return [...Map.groupBy(applications, ({ branch }) => branch).values()].flatMap(([first]) => first ?? [])
}

function applicationObject(
  { name, path: dryPath, namespace, branch, syncPath }: MonorepoApplication,
  url: string,
) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace },
      sourceHydrator: {
        drySource: { repoURL: url, targetRevision: 'main', path: dryPath },
        syncSource: { targetBranch: branch, path: syncPath },
      },
    },
  }
}

function at(value: unknown, key: string): unknown {
  return value !== null && typeof value === 'object' && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined
}
