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
  dataDirectory: string
  contextFile: string
  /** A directory for what a test writes. */
  directory: string
  /** The variables of a command line that is signed in as nobody until it signs in. */
  environment: Record<string, string>
  /** Runs the command line with its context file. */
  wadi(args: readonly string[], more?: MoreOfRun): Promise<RunResult>
  /** Runs it as the operator. */
  operate(args: readonly string[], more?: MoreOfRun): Promise<RunResult>
}

interface MoreOfRun {
  directory?: string
  environment?: Record<string, string>
  input?: string
}

/** Starts the services on a free port with a data directory of their own. */
export async function startMeshFixture(settings: Record<string, string> = {}): Promise<MeshFixture> {
  await using owned = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'wadi-cli-mesh-'))
  owned.defer(() => rm(directory, { recursive: true, force: true }))
  const dataDirectory = join(directory, 'data')
  await shareToolCache(dataDirectory)
  await givePasswords(dataDirectory)
  const mesh = owned.use(
    await startMesh({
      dataDirectory,
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
  const environment = { HOME: join(directory, 'home'), WADI_CONFIG_DIR: join(directory, 'config') }
  const wadi: MeshFixture['wadi'] = (args, more = {}) =>
    runWadi(args, { ...more, environment: { ...environment, ...more.environment } })
  const moved = owned.move()
  return {
    server,
    adminToken: mesh.adminToken,
    dataDirectory,
    contextFile: join(directory, 'config', 'config'),
    directory,
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
