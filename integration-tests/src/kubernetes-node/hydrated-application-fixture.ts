import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository, type TestRepository } from '@wadi/testing/git-repository.ts'
import { readRef } from '@wadi/testing/read-ref.ts'
import { testGit } from '@wadi/testing/test-git.ts'
import { until } from '@wadi/testing/until.ts'
import { gitPort, type Release } from './release-fixture.ts'

const users = { reader: 'reads-only', writer: 'writes-too' }
const branch = 'environments/dev'

/** A dry repository with an Application, of which each dry commit shall give one hydrated commit. */
export class HydratedApplication {
  /** The dry commits that were pushed, the oldest first. */
  readonly pushed: string[] = []
  readonly #release: Release
  readonly #directory: string
  readonly #dry: TestRepository

  private constructor(release: Release, directory: string, dry: TestRepository) {
    this.#release = release
    this.#directory = directory
    this.#dry = dry
  }

  /** Makes a repository on a git server that pods reach, stores its credentials and applies an Application of it. */
  static async add(release: Release, owned: AsyncDisposableStack): Promise<HydratedApplication> {
    const server = owned.use(await startGitHttpServer({ users }))
    const { directory } = await server.createRepository('web.git')
    const offer = owned.use(await release.node.offer(Number(new URL(server.url).port), gitPort))
    const url = `http://${offer.address}/web.git`
    const wadi = await release.signedIn()
    await wadi('repo', 'add', url, '--username', 'reader', '--password', users.reader)
    await wadi('repo', 'add', url, '--username', 'writer', '--password', users.writer, '--write')
    const scratch = await mkdtemp(path.join(tmpdir(), 'wadi-dry-'))
    owned.defer(() => rm(scratch, { recursive: true }))
    const application = new HydratedApplication(release, directory, await createRepository(scratch))
    await application.push()
    await release.node.create(`/apis/argoproj.io/v1alpha1/namespaces/${release.namespace}/applications`, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web', annotations: { 'wadi.dev/lineage': 'every' } },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
        sourceHydrator: {
          drySource: { repoURL: url, targetRevision: 'main', path: 'web' },
          syncSource: { targetBranch: branch, path: 'web' },
        },
      },
    })
    await application.hydrated()
    return application
  }

  /** Pushes a change. */
  async push(): Promise<void> {
    const data = `data: { count: '${this.pushed.length}' }`
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n${data}\n`
    this.pushed.push(await this.#dry.commitFiles({ 'web/a.yaml': text }, `Change ${this.pushed.length}`))
    await this.#dry.git.raw(['push', '--quiet', this.#directory, 'main'])
  }

  /** Waits until the newest dry commit is hydrated. */
  async hydrated(): Promise<void> {
    const newest = this.pushed.at(-1)
    let seen: string | undefined
    await until(async () => {
      const tip = await readRef(this.#directory, `refs/heads/${branch}`)
      if (tip === undefined || tip === seen) return false
      seen = tip
      return (await this.#drySha(tip)) === newest
    })
  }

  /** Pushes a dry commit that is hydrated, one whose hydration is under way while pods are deleted, and one while they are not there. */
  async pushAround(...deletion: readonly string[]): Promise<void> {
    await this.push()
    await this.hydrated()
    await this.push()
    await this.#release.kubectl('delete', 'pod', '--wait=false', ...deletion)
    await this.push()
    await this.#release.ready()
    await this.hydrated()
  }

  /** The dry commits of the hydrated ones, the oldest first. */
  async dryCommits(): Promise<string[]> {
    const listed = await testGit(this.#directory).raw(['rev-list', '--reverse', branch])
    return Promise.all(
      listed
        .trim()
        .split('\n')
        .map(async (commit) => this.#drySha(commit)),
    )
  }

  async #drySha(commit: string): Promise<string> {
    const text = await testGit(this.#directory).raw(['show', `${commit}:hydrator.metadata`])
    const record: { drySha: string } = JSON.parse(text)
    return record.drySha
  }
}
