import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startCommitServer } from '@wadi/commit-server/commit-server.ts'
import { commitServerSettings } from '@wadi/commit-server/settings.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { type HydratorOverrides, startHydrator } from '@wadi/hydrator/hydrator.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { type RepoServerOverrides, startRepoServer } from '@wadi/repo-server/repo-server.ts'
import { repoServerSettings } from '@wadi/repo-server/settings.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { type SettingsOf, readSettings } from '@wadi/rpc/service-settings.ts'
import { onFreePorts } from '@wadi/testing/free-port.ts'
import { type GitHttpRequest, type GitHttpServer, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { type RedisServer, startRedisServer } from '@wadi/testing/redis-server.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'
import { type ApplicationFixture, applicationObject, configMap } from '../application-fixture.ts'
import { quietEnvironment } from '../mesh-fixture.ts'
import { ServiceProcess } from '../process-mesh-fixture.ts'
import { RepositoryFixture } from '../repository-fixture.ts'
import { BranchLedger, hydratedBranches } from './branch-ledger-fixture.ts'
import { openStandIn, type OwnCluster } from './own-cluster-fixture.ts'

const applications = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'Application',
  plural: 'applications',
}

const restMs = 700
const hydratorEntry = path.join(import.meta.dirname, '../../../services/hydrator/src/main.ts')

/** Services in this process over a cluster, of which what they ask of others, and their runs, are counted. */
export class CountedServices implements AsyncDisposable {
  readonly cluster: OwnCluster
  readonly redis: RedisServer
  readonly git: GitHttpServer
  readonly #directory: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #client: KubernetesClient
  readonly #owned: AsyncDisposableStack
  readonly #repoServers: string[] = []
  #runs = 0

  private constructor(parts: {
    cluster: OwnCluster
    redis: RedisServer
    git: GitHttpServer
    directory: string
    environment: Readonly<Record<string, string>>
    client: KubernetesClient
    owned: AsyncDisposableStack
  }) {
    this.cluster = parts.cluster
    this.redis = parts.redis
    this.git = parts.git
    this.#directory = parts.directory
    this.#environment = parts.environment
    this.#client = parts.client
    this.#owned = parts.owned
  }

  /** Starts a cluster, by default a stand-in, Redis, a git server without passwords, and a commit-server. */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    open: () => Promise<OwnCluster> = openStandIn,
  ): Promise<CountedServices> {
    await using owned = new AsyncDisposableStack()
    const cluster = owned.use(await open())
    const redis = owned.use(await startRedisServer())
    const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-counts-')))
    const kubeconfig = path.join(directory, 'kubeconfig')
    await writeKubeconfig(kubeconfig, cluster.config)
    const git = owned.use(await startGitHttpServer())
    const client = owned.use(new KubernetesClient(cluster.config))
    const shared = {
      ...quietEnvironment,
      WADI_LISTEN: '127.0.0.1:0',
      WADI_STORE: 'kubernetes',
      WADI_KUBECONFIG: kubeconfig,
      WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
      WADI_WRITE_STATUS: 'never',
      WADI_SERVICE_KEY_FILE: path.join(directory, 'service.key'),
      WADI_REDIS_URL: redis.url,
      ...environment,
    }
    const env = { ...shared, WADI_DATA_DIR: path.join(directory, 'commit-server') }
    const commitServer = owned.use(
      await startCommitServer(readSettings(commitServerSettings, { env, argv: [] })),
    )
    return new CountedServices({
      cluster,
      redis,
      git,
      directory,
      environment: { ...shared, WADI_COMMIT_SERVERS: commitServer.address },
      client,
      owned: owned.move(),
    })
  }

  /** Starts one more repo-server; hydrators that start later know it. */
  async addRepoServer(overrides: RepoServerOverrides = {}): Promise<void> {
    const env = this.#environmentOf(`repo-server-${this.#repoServers.length}`)
    await shareToolCache(env.WADI_DATA_DIR)
    const settings = readSettings(repoServerSettings, { env, argv: [] })
    const { address } = this.#owned.use(await startRepoServer(settings, overrides))
    this.#repoServers.push(address)
  }

  /** Starts hydrators that end with what is returned. */
  async startHydrators(count: number): Promise<AsyncDisposable> {
    await using owned = new AsyncDisposableStack()
    for (let index = 0; index < count; index++) {
      owned.use(await this.startHydratorIn(`hydrator-${index}`))
    }
    return owned.move()
  }

  /** Starts a hydrator that ends with what is returned. @param directory its data directory, which remembers what earlier ones wrote there */
  async startHydratorIn(directory: string): Promise<AsyncDisposable> {
    const events: HydratorOverrides['events'] = (recorded) => ({
      ...recorded,
      finished: (ended, milliseconds) => {
        this.#runs += ended.run.groups.length
        recorded.finished(ended, milliseconds)
      },
    })
    const env = { ...this.#environmentOf(directory), WADI_REPO_SERVERS: this.#repoServers.join(',') }
    const settings: SettingsOf<typeof hydratorSettings> = readSettings(hydratorSettings, { env, argv: [] })
    return startHydrator(settings, { events })
  }

  /** Starts hydrators in processes of their own, which end with what is returned; their runs are not counted. */
  async startHydratorProcesses(
    count: number,
    environment: Readonly<Record<string, string>>,
  ): Promise<AsyncDisposable> {
    await using owned = new AsyncDisposableStack()
    const start = (index: number) =>
      onFreePorts(1, async ([port]) => {
        const listen = `127.0.0.1:${port}`
        const own = owned.use(
          new ServiceProcess({
            name: 'hydrator',
            address: `http://${listen}`,
            metricsAddress: '',
            entry: hydratorEntry,
            environment: {
              ...this.#environmentOf(`hydrator-${index}`),
              WADI_REPO_SERVERS: this.#repoServers.join(','),
              WADI_LISTEN: listen,
              ...environment,
            },
          }),
        )
        await own.start()
      })
    await Promise.all(Array.from({ length: count }, (_, index) => start(index)))
    return owned.move()
  }

  /** Makes a repository with Applications of one branch, or of one each, and returns what pushes a change of all of them or of the first ones. */
  async addRepository(
    name: string,
    count: number,
    branchOf = (_application: string) => 'environments/dev',
  ): Promise<(changed?: number) => Promise<string>> {
    const served = await this.git.createRepository(`${name}.git`)
    const repository = await RepositoryFixture.open(served, path.join(this.#directory, 'copies', name))
    const names = Array.from({ length: count }, (_, index) => `${name}-${index}`)
    let value = 0
    const push = async (changed = count) => {
      value++
      const files = names.slice(0, changed).map((app) => [`${app}/a.yaml`, configMap(app, String(value))])
      return repository.push(Object.fromEntries(files))
    }
    await push()
    const { url: repoURL } = repository
    await Promise.all(names.map((app) => this.#apply({ name: app, repoURL, branch: branchOf(app) })))
    return push
  }

  /** Makes repositories with branches, an Application for each. */
  async addLedger(size: { repositories: number; branchesOfEach: number }): Promise<BranchLedger> {
    const repositories: RepositoryFixture[] = []
    for (let index = 0; index < size.repositories; index++) {
      const served = await this.git.createRepository(`ledger-${index}.git`)
      repositories.push(
        await RepositoryFixture.open(served, path.join(this.#directory, 'copies', `${index}`)),
      )
    }
    const ledger = new BranchLedger(this.#client, { repositories, branchesOfEach: size.branchesOfEach })
    await ledger.push()
    for (const application of ledger.applications) await this.#apply(application)
    return ledger
  }

  /** Runs that finished since the last call. */
  async countRuns(): Promise<number> {
    const runs = this.#runs
    this.#runs = 0
    return runs
  }

  /** Waits until so many branches are hydrated at some of these dry commits. */
  async hydratedAt(shas: readonly string[], count: number): Promise<void> {
    await until(async () => {
      const { items } = await this.#client.list(hydratedBranches, { namespace: 'argocd' })
      const groups = items.flatMap((item) => readHydratedBranch(item).status.groups)
      const done = groups.filter(
        ({ phase, success }) => phase === 'Hydrated' && shas.includes(success?.drySha ?? ''),
      )
      if (done.length < count) await delay(40)
      return done.length === count
    })
  }

  /** Waits until the cluster is asked nothing for a while: Events and marks come after the record. */
  async resting(): Promise<void> {
    const { requests = [] } = this.cluster
    for (let seen = -1; seen < requests.length; await delay(restMs)) seen = requests.length
  }

  /** Questions for refs or objects since the start of the git server; while there is nothing to fetch, one `git ls-remote` is one. */
  get #looks(): number {
    const isLook = ({ service, method }: GitHttpRequest) => service === 'git-upload-pack' && method === 'POST'
    return this.git.requests.filter(isLook).length
  }

  /** Counts looks during some intervals after one of rest; a busy machine may take longer, so their number is returned. */
  async looksWithin(count: number, intervalMs: number): Promise<{ looks: number; intervals: number }> {
    await delay(intervalMs)
    const [before, startedAt] = [this.#looks, performance.now()]
    // A busy machine may not look at all for some intervals.
    do await delay(count * intervalMs)
    while (this.#looks === before)
    return { looks: this.#looks - before, intervals: (performance.now() - startedAt) / intervalMs }
  }

  /**
   * Starts four repo-servers and hydrates repositories of one branch, then again with a fifth server. Counts the mirrors, and those that the
   * fifth one made.
   */
  async mirrorsOfFourAndFive(repositories: number): Promise<{ mirrors: number; again: number }> {
    for (let index = 0; index < 4; index++) await this.addRepoServer()
    const ledger = await this.addLedger({ repositories, branchesOfEach: 1 })
    const hydrate = async (): Promise<number> => {
      await using _ = await this.startHydrators(1)
      await ledger.hydrated()
      return await this.#mirrors()
    }
    const mirrors = await hydrate()
    await this.addRepoServer()
    await ledger.push()
    return { mirrors, again: (await hydrate()) - mirrors }
  }

  /** Mirrors of all repo-servers. */
  async #mirrors(): Promise<number> {
    const counts = this.#repoServers.map(async (_, index) => {
      const own = path.join(this.#directory, `repo-server-${index}`, 'repo-server')
      const instances = await readdir(own)
      const held = instances.map((instance) => readdir(path.join(own, instance, 'mirrors')).catch(() => []))
      return (await Promise.all(held)).flat().filter((entry) => entry.endsWith('.git')).length
    })
    return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }

  async #apply(application: ApplicationFixture): Promise<void> {
    await this.#client.create(applications, applicationObject(application) as unknown as Resource)
  }

  #environmentOf(directory: string) {
    return { ...this.#environment, WADI_DATA_DIR: path.join(this.#directory, directory) }
  }
}
