import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { givePasswords } from '@wadi/testing/known-passwords.ts'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { runWadi } from './run-wadi-fixture.ts'
import type { RunResult } from './command-line-process-fixture.ts'

/** The services in this process, and the command line with a context file of its own. */
export interface MeshFixture extends AsyncDisposable {
  /** `host:port` of the gateway. */
  server: string
  adminToken: string
  /** The value of `wadi up --data`. */
  dataFolder: string
  contextFile: string
  /** A folder for what a test writes. */
  folder: string
  /** The variables of a command line that is signed in as nobody until it signs in. */
  environment: Record<string, string>
  /** Runs the command line with its context file. */
  wadi(args: readonly string[], more?: MoreOfRun): Promise<RunResult>
  /** Runs it as the operator. */
  operate(args: readonly string[], more?: MoreOfRun): Promise<RunResult>
}

interface MoreOfRun {
  folder?: string
  environment?: Record<string, string>
  input?: string
}

/** Starts the services on a free port with a data folder of their own. */
export async function startMeshFixture(settings: Record<string, string> = {}): Promise<MeshFixture> {
  await using owned = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'wadi-cli-mesh-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const dataFolder = join(folder, 'data')
  await shareToolCache(dataFolder)
  await givePasswords(dataFolder)
  const mesh = owned.use(
    await startMesh({
      dataDirectory: dataFolder,
      listen: '127.0.0.1:0',
      environment: {
        WADI_LOG_LEVEL: 'error',
        WADI_IDLE_GRACE: '0s',
        WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...settings,
      },
    }),
  )
  const server = new URL(mesh.address).host
  const environment = { HOME: join(folder, 'home'), WADI_CONFIG_DIR: join(folder, 'config') }
  const wadi: MeshFixture['wadi'] = (args, more = {}) =>
    runWadi(args, { ...more, environment: { ...environment, ...more.environment } })
  const moved = owned.move()
  return {
    server,
    adminToken: mesh.adminToken,
    dataFolder,
    contextFile: join(folder, 'config', 'config'),
    folder,
    environment,
    wadi,
    operate: (args, more = {}) =>
      wadi(args, {
        ...more,
        environment: { WADI_SERVER: server, WADI_AUTH_TOKEN: mesh.adminToken, ...more.environment },
      }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

let shared: Promise<MeshFixture> | undefined

/**
 * One for all test files of the process that leave accounts and their rights as they are, and need no contexts of another file. It looks at
 * repositories only when it is asked to.
 */
export async function sharedMeshFixture(): Promise<MeshFixture> {
  shared ??= startMeshFixture({ WADI_POLL_INTERVAL: '1h' }).then((mesh) => {
    afterAllTests(async () => {
      shared = undefined
      await mesh[Symbol.asyncDispose]()
    })
    return mesh
  })
  return shared
}
