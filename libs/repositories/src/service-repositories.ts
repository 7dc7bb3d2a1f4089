import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createNetworkPolicy, type NetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { controlPlaneNamespace, credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import type { Warning } from '@wadi/rpc/health-registry.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import type { SettingsOf } from '@wadi/rpc/service-settings.ts'
import type { OpenCluster } from '@wadi/state/open-cluster.ts'
import type { RemovedMirror } from './mirror-disk.ts'
import { MirrorPool } from './mirror-pool.ts'
import { repositoryDirectories, type repositorySettings, urlPolicy } from './repository-service-settings.ts'
import { repositoryObjects } from './repository-objects.ts'
import { RepositoryStore } from './repository-store.ts'
import { WholeCopies } from './whole-copies.ts'

const maxWarnings = 5

/** The repositories that a service knows, their mirrors and where it keeps both; disposal closes them. */
export interface ServiceRepositories extends AsyncDisposable {
  readonly repositories: RepositoryStore
  readonly mirrors: MirrorPool
  /** The repositories that are fetched whole although what is needed would do. */
  readonly wholeCopies: WholeCopies
  /** Which addresses repositories may lead to. */
  readonly network: NetworkPolicy
  readonly directories: ReturnType<typeof repositoryDirectories>
  /** The warning about problems that an operator should fix, such as Secrets that cannot be used. */
  readonly warning: Warning
}

/** The options of `openServiceRepositories`. */
interface RepositoriesOptions {
  /** Which credentials of a repository the service has. */
  readonly purpose: 'read' | 'write'
  /** The namespace of the Secrets, in a cluster; by default that of what services share, or of the control plane for write credentials. */
  readonly namespace?: string
  /** Ends a start that waits for the cluster. */
  readonly signal?: AbortSignal | undefined
}

/** Opens the repositories of a service; its own directory is created with mode 0700. */
export async function openServiceRepositories(
  base: ServiceBase,
  settings: SettingsOf<typeof repositorySettings> & { dataDirectory: string; listen: string },
  { purpose, namespace = namespaceOf(purpose), signal }: RepositoriesOptions,
): Promise<ServiceRepositories> {
  await using opened = new AsyncDisposableStack()
  const directories = repositoryDirectories(base.name, settings)
  try {
    await mkdir(directories.own, { recursive: true, mode: 0o700 })
    // One that is there may be on a volume that is read-only now, or of another user.
    await access(directories.own, constants.W_OK)
  } catch (error) {
    throw unusableDirectory(directories.own, error)
  }
  const { store, warning: clusterWarning } =
    settings.store === 'sqlite'
      ? { store: opened.use(openSqliteStore({ file: directories.credentials })), warning: () => undefined }
      : opened.use(await openSecrets(base, settings, { purpose, namespace, signal }))
  const keepsTrust = settings.store === 'sqlite'
  const repositories = new RepositoryStore(store, purpose, namespace, keepsTrust)
  const network = createNetworkPolicy(settings.allowedNetworks)
  const wholeCopies = new WholeCopies(base)
  const mirrors = opened.use(
    new MirrorPool({
      maxBytes: settings.gitDiskLimit,
      onRemoved: reportRemoved(base),
      directory: join(directories.own, 'mirrors'),
      policy: urlPolicy(settings),
      network,
      repositories,
      httpClient: settings.gitHttp,
      gitFetch: settings.gitFetch,
      onWhole: wholeCopies.add,
    }),
  )
  reportBytes(base, mirrors)
  const warning = () => {
    const found = [...repositories.invalid.map(errorMessage), ...repositories.unsupported]
    const unused = someInLine(found, maxWarnings, '; ')
    return (
      [clusterWarning() ?? '', unused, mirrors.disk.warning() ?? '']
        .filter((text) => text !== '')
        .join('; ') || undefined
    )
  }
  const owned = opened.move()
  return {
    repositories,
    mirrors,
    wholeCopies,
    network,
    directories,
    warning,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function reportRemoved({ logger, metrics }: ServiceBase): (removed: RemovedMirror) => void {
  const copies = metrics.counter(
    'git_copies_removed_total',
    'Copies of repositories that were removed from the disk, the least recently used first, by reason: limit (WADI_GIT_DISK_LIMIT) or full (the disk).',
    ['reason'],
  )
  return ({ url, bytes, reason }) => {
    copies.inc({ reason })
    const cause = reason === 'limit' ? 'to keep WADI_GIT_DISK_LIMIT' : 'as the disk is full'
    logger.info(
      { repository: redactUrl(url), bytes },
      `the copy of a repository was removed ${cause}; it is fetched again when it is needed`,
    )
  }
}

function reportBytes({ metrics }: ServiceBase, { disk }: MirrorPool): void {
  metrics.gauge(
    'git_disk_bytes',
    'Size on disk of the copies of repositories, which WADI_GIT_DISK_LIMIT bounds.',
    [],
    async (gauge) => gauge.set(await disk.bytes()),
  )
}

function namespaceOf(purpose: RepositoriesOptions['purpose']): string {
  return purpose === 'read' ? credentialsNamespace : controlPlaneNamespace
}

/** The Secrets of repositories in a cluster. */
async function openSecrets(
  base: ServiceBase,
  settings: SettingsOf<typeof repositorySettings>,
  { purpose, namespace, signal }: RepositoriesOptions & { readonly namespace: string },
): Promise<OpenCluster> {
  const { openCluster } = await import('@wadi/state/open-cluster.ts')
  const objects = repositoryObjects(purpose, namespace)
  return openCluster(base, settings, { objects }, signal)
}
