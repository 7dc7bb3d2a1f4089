import { type MeshOptions, startMesh } from '@wadi/mesh/mesh.ts'
import {
  type GitHttpRequest,
  type GitHttpServer,
  type InjectedAnswer,
  startGitHttpServer,
} from '@wadi/testing/git-http-server.ts'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from './hydration-fixture.ts'

/** The user who may read and write on the git server. */
export const gitUser = { username: 'wadi', password: 'pass/word: with & signs' }

/** Environment of every test's services: quiet, without waiting at the end, polling so rarely that tests alone trigger runs, with git servers of this machine. */
export const quietEnvironment = {
  WADI_LOG_LEVEL: process.env['WADI_TEST_LOG_LEVEL'] ?? 'error',
  WADI_IDLE_GRACE: '0s',
  WADI_POLL_INTERVAL: '1h',
  WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
}

type RequestListener = (
  request: GitHttpRequest,
) => Promise<number | InjectedAnswer | undefined> | number | InjectedAnswer | undefined

/** A git server whose requests a test can hold up or answer itself, one listener at a time. */
export interface ListenedGitServer {
  server: GitHttpServer
  /** Replaces the listener; undefined lets all requests through. */
  listen(listener: RequestListener | undefined): void
}

/** Starts a git server with a password. */
export async function startListenedGitServer(): Promise<ListenedGitServer> {
  let current: RequestListener | undefined
  const server = await startGitHttpServer({
    users: { [gitUser.username]: gitUser.password },
    onRequest: (request) => current?.(request),
  })
  return {
    server,
    listen: (listener) => {
      current = listener
    },
  }
}

/** A mesh in this process. */
export interface MeshFixture extends AsyncDisposable {
  fixture: HydrationFixture
  git: ListenedGitServer
  /** Address of the gateway. */
  address: string
  /** The operator's token. */
  token: string
}

/** Starts the services in this process, with a git server over HTTP that asks for a password. */
export async function startMeshFixture(options: Partial<MeshOptions> = {}): Promise<MeshFixture> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const git = await startListenedGitServer()
  owned.use(git.server)
  const mesh = await startMesh({
    dataDirectory: await makeDataDirectory(directory),
    listen: '127.0.0.1:0',
    ...options,
    environment: { ...quietEnvironment, ...options.environment },
  })
  owned.use(mesh)
  const { address, adminToken: token } = mesh
  const fixture = new HydrationFixture({ address, token, directory, git: git.server })
  owned.use(fixture)
  await fixture.addCredentials({ repoUrl: git.server.url, isPrefix: true, ...gitUser })
  const moved = owned.move()
  return { fixture, git, address, token, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** Starts the mesh of a test file, which ends after the tests of the file. */
export function meshOfFile(options?: Partial<MeshOptions>): Promise<MeshFixture> {
  return usedByFile(startMeshFixture(options))
}
