import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { createServiceClient, type ServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { startChildProgram } from './child-program.ts'
import { gitEnvironment } from './run-git.ts'

/** A commit-server with write credentials for one repository, and a second repository for the comparison. */
export interface CommitServerBed extends AsyncDisposable {
  readonly pid: number
  readonly client: ServiceClient<typeof CommitServerService>
  /** The repository that commit-server pushes to. */
  readonly hydrated: { readonly url: string; readonly directory: string }
  /** The repository that git itself pushes to. */
  readonly plain: { readonly url: string; readonly directory: string }
  /** Environment with which git may push to both. */
  readonly gitEnvironment: Readonly<Record<string, string>>
}

/** Keeps the server from tidying up in the middle of a measurement. */
const quiet = { 'gc.auto': '0', 'receive.autogc': 'false' }

/** Starts a git server with a password and a commit-server that calls are sent to as the hydrator sends them. */
export async function openCommitServerBed(directory: string): Promise<CommitServerBed> {
  await using resources = new AsyncDisposableStack()
  const root = path.join(directory, 'git')
  await mkdir(root, { recursive: true })
  const password = randomBytes(12).toString('base64url')
  const server = resources.use(await startGitHttpServer({ root, users: { bench: password } }))
  const hydrated = await server.createRepository('hydrated.git', { config: quiet })
  const plain = await server.createRepository('plain.git', { config: quiet })
  const keyFile = path.join(directory, 'service.key')
  const child = resources.use(
    await startChildProgram(new URL('commit-server-child.ts', import.meta.url), [], {
      WADI_LISTEN: '127.0.0.1:0',
      WADI_DATA_DIR: path.join(directory, 'data'),
      WADI_SERVICE_KEY_FILE: keyFile,
      WADI_LOG_LEVEL: 'error',
    }),
  )
  const key = await loadServiceKey(keyFile)
  const clientOf = async (service: 'api-gateway' | 'hydrator') =>
    resources.use(
      await createServiceClient(CommitServerService, {
        endpoints: [child.firstLine],
        identity: createServiceIdentity({ key, service }),
        audience: 'commit-server',
      }),
    )
  // Credentials come through the gateway alone.
  const gateway = await clientOf('api-gateway')
  await gateway.putRepository({ secretJson: JSON.stringify(writeSecret(hydrated.url, password)) })
  const client = await clientOf('hydrator')
  const owned = resources.move()
  return {
    pid: child.pid,
    client,
    hydrated,
    plain,
    gitEnvironment: gitEnvironment({ username: 'bench', password }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function writeSecret(url: string, password: string) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'hydrated',
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'repository-write' },
    },
    stringData: { type: 'git', url, username: 'bench', password },
  }
}
