import { symlink } from 'node:fs/promises'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client } from '@connectrpc/connect'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { createRepository, type TestRepository } from '@wadi/testing/git-repository.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { startRepoServer } from '../repo-server.ts'
import { repoServerSettings } from '../settings.ts'

/** A repository on disk and a repo-server that reads it. */
interface ServedRepository extends AsyncDisposable {
  client: Client<typeof RepoServerService>
  repository: TestRepository
  repoUrl: string
  /** Writes files, then links (by path their target), and commits them. */
  commit(files: Record<string, string | Buffer>, links?: Record<string, string>): Promise<string>
}

/**
 * Starts a repo-server whose answers to another service come from a repository on disk.
 * @param settings further variables of repo-server
 */
export async function serveRepository(
  service: 'api-gateway' | 'appset-service' | 'hydrator' = 'appset-service',
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedRepository> {
  await using stack = new AsyncDisposableStack()
  const directory = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-served-'))).path
  await shareToolCache(directory)
  const key = path.join(directory, 'service.key')
  const env = {
    WADI_LISTEN: '127.0.0.1:0',
    WADI_DATA_DIR: directory,
    WADI_SERVICE_KEY_FILE: key,
    WADI_ALLOW_FILE_URLS: 'true',
    WADI_LOG_LEVEL: 'error',
    WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings,
  }
  const server = stack.use(await startRepoServer(readSettings(repoServerSettings, { env, argv: [] })))
  const client = stack.use(
    await createServiceClient(RepoServerService, {
      endpoints: [server.address],
      identity: createServiceIdentity({ key: await loadServiceKey(key), service }),
      audience: 'repo-server',
    }),
  )
  const repository = await createRepository(path.join(directory, 'dry'))
  const commit = async (files: Record<string, string | Buffer>, links: Record<string, string> = {}) => {
    await repository.commitFiles(files, 'Write files\n')
    for (const [at, target] of Object.entries(links)) {
      await symlink(target, path.join(repository.directory, at))
      await repository.git.raw(['add', '--', at])
    }
    await repository.git.raw(['commit', '--quiet', '--allow-empty', '-m', 'Link files'])
    return repository.head()
  }
  const owned = stack.move()
  return {
    client,
    repository,
    repoUrl: `file://${repository.directory}`,
    commit,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
