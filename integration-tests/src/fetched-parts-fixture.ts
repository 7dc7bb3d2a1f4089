import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { startRepoServer } from '@wadi/repo-server/repo-server.ts'
import { repoServerSettings } from '@wadi/repo-server/settings.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'

/** A dry repository as repo-server sees it. */
interface ReadRepository extends AsyncDisposable {
  /** Resolves a branch, inspects directories at its commit and renders them, as for a dry commit with an Application in each. */
  render(branch: string, ...directories: string[]): Promise<{ sha: string; manifests: string[] }>
  /** Lists the commits after one and up to another, as for `lineage: every`. */
  list(after: string, to: string): Promise<string[]>
  /** Returns the directory of the repository's copy. */
  mirror(): Promise<string>
}

/** Starts a repo-server with data of its own, which reads one repository. */
export async function readRepository(
  repoUrl: string,
  dataDirectory: string,
  gitFetch: 'needed' | 'whole',
): Promise<ReadRepository> {
  await using stack = new AsyncDisposableStack()
  await shareToolCache(dataDirectory)
  const key = path.join(dataDirectory, 'service.key')
  const env = {
    WADI_LISTEN: '127.0.0.1:0',
    WADI_DATA_DIR: dataDirectory,
    WADI_SERVICE_KEY_FILE: key,
    WADI_LOG_LEVEL: 'error',
    WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
    WADI_INSTANCE: 'own',
    WADI_GIT_FETCH: gitFetch,
  }
  const server = stack.use(await startRepoServer(readSettings(repoServerSettings, { env, argv: [] })))
  const identity = createServiceIdentity({ key: await loadServiceKey(key), service: 'hydrator' })
  const options = { endpoints: [server.address], identity, audience: 'repo-server' } as const
  const client = stack.use(await createServiceClient(RepoServerService, options))
  const owned = stack.move()
  const at = { repoUrl, project: 'default' }
  return {
    async render(branch, ...directories) {
      const { revisions } = await client.resolveRevisions({ ...at, revisions: [branch], refresh: true })
      const [{ sha, error } = { sha: '', error: 'no revision' }] = revisions
      if (error !== '') throw new Error(error)
      const request = {
        ...at,
        sha,
        verification: {},
        sources: directories.map((directory) => ({ path: directory })),
      }
      await client.inspectSources(request)
      const manifests: string[] = []
      for await (const message of client.renderSources(request)) {
        if (message.error !== '') throw new Error(message.error)
        manifests.push(...message.manifests)
      }
      return { sha, manifests }
    },
    list: async (after, to) => (await client.listCommits({ ...at, after, to })).shas,
    async mirror() {
      const mirrors = path.join(dataDirectory, 'repo-server', 'own', 'mirrors')
      return path.join(mirrors, ...(await readdir(mirrors)))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
