import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import type { SettingsOf } from '@wadi/rpc/service-settings.ts'
import { MirrorPool } from './mirror-pool.ts'
import { repositoryFolders, type repositorySettings, urlPolicy } from './repository-service-settings.ts'
import { RepositoryStore } from './repository-store.ts'

/** The repositories that a service knows, their mirrors and where it keeps both; disposal closes them. */
export interface ServiceRepositories extends AsyncDisposable {
  readonly repositories: RepositoryStore
  readonly mirrors: MirrorPool
  readonly folders: ReturnType<typeof repositoryFolders>
}

/**
 * Opens the repositories of a service; its own folder is created with mode 0700.
 * @param purpose which credentials of a repository the service has
 */
export async function openServiceRepositories(
  service: string,
  settings: SettingsOf<typeof repositorySettings> & { dataDirectory: string; listen: string },
  purpose: 'read' | 'write',
): Promise<ServiceRepositories> {
  await using opened = new AsyncDisposableStack()
  const folders = repositoryFolders(service, settings)
  await mkdir(folders.own, { recursive: true, mode: 0o700 })
  const repositories = new RepositoryStore(
    opened.use(openSqliteStore({ file: folders.credentials })),
    purpose,
  )
  const mirrors = opened.use(
    new MirrorPool({
      directory: join(folders.own, 'mirrors'),
      policy: urlPolicy(settings),
      network: createNetworkPolicy(settings.allowedNetworks),
      repositories,
    }),
  )
  const owned = opened.move()
  return { repositories, mirrors, folders, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
