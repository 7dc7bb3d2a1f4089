import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import type { HydrationFixture } from './hydration-fixture.ts'
import { type ProcessMesh, type ProcessMeshOptions, startProcessMesh } from './process-mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

/** A mesh whose hydrator ends itself on request. */
export interface CrashMesh extends ProcessMesh {
  /** Makes the hydrator end itself when its next run comes to a step or event. */
  crashHydratorAt(moment: string): Promise<void>
}

/** Starts a mesh of processes that tests end in the middle of their work: each service is one unless the options say otherwise. */
export async function startCrashMesh(
  crashFile: string,
  options: Pick<ProcessMeshOptions, 'redis' | 'replicas' | 'together'> = {},
): Promise<CrashMesh> {
  const mesh = await startProcessMesh({
    entries: { hydrator: join(import.meta.dirname, 'crashing-hydrator-fixture.ts') },
    environment: { TEST_CRASH_FILE: crashFile },
    ...options,
  })
  return { ...mesh, crashHydratorAt: (moment) => writeFile(crashFile, moment) }
}

const owned = new AsyncDisposableStack()
afterAllTests(() => owned.disposeAsync())
let shared: CrashMesh | undefined

/**
 * The mesh of processes that the test files of this process share, without Redis: six services cost seconds to start. Every service runs; what
 * a test makes in it, it removes.
 */
export async function sharedCrashMesh(): Promise<CrashMesh> {
  if (shared === undefined) {
    const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-crash-')))
    shared = owned.use(await startCrashMesh(join(directory.path, 'crash')))
  }
  const stopped = Object.values(shared.processes)
    .flat()
    .filter((service) => !service.isRunning)
  for (const service of stopped) await service.start()
  return shared
}

/** Two applications on one branch, hydrated at a first dry commit; a second one is pushed and not hydrated. */
export class CrashScene implements AsyncDisposable {
  readonly branch = 'environments/prod'
  readonly repository: RepositoryFixture
  readonly names: string[]
  /** The dry commits, the oldest first. */
  readonly drySHAs: string[]
  readonly #fixture: HydrationFixture
  /** The hydrated commits of the first dry commit: one, or two where an Application was hydrated before the other one was made. */
  readonly #firstCommits = new Set<string>()
  /** The dry commit of each hydrated one, as far as they were read: commits do not change. */
  readonly #drySHAOf = new Map<string, string>()

  private constructor(
    fixture: HydrationFixture,
    repository: RepositoryFixture,
    names: string[],
    drySHAs: string[],
  ) {
    this.#fixture = fixture
    this.repository = repository
    this.names = names
    this.drySHAs = drySHAs
  }

  static async open(
    fixture: HydrationFixture,
    name: string,
    config: Record<string, string> = {},
  ): Promise<CrashScene> {
    const repository = await fixture.createRepository(name, filesOf('1'), { config })
    const first = await repository.dry.head()
    const names = [`${name}-one`, `${name}-two`]
    const scene = new CrashScene(fixture, repository, names, [first])
    const applications = ['one', 'two'].map((path) => ({
      name: `${name}-${path}`,
      path,
      syncPath: path,
      repoURL: repository.url,
      branch: scene.branch,
    }))
    await fixture.applyAndWait(first, ...applications)
    for (const commit of await repository.commits(scene.branch)) scene.#firstCommits.add(commit)
    await scene.advance()
    return scene
  }

  /** Pushes another dry commit. */
  async advance(): Promise<void> {
    const number = String(this.drySHAs.length + 1)
    this.drySHAs.push(await this.repository.push(filesOf(number), `Configuration ${number}`))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.names) await this.#fixture.gateway.applications.deleteApplication({ name })
  }

  /** Asks for the last dry commit and does not wait. */
  async ask(): Promise<void> {
    await this.#fixture.gateway.applications.hydrateApplication({ name: this.names[0] ?? '' })
  }

  /** Waits until all is as it is after a run that nothing disturbed. */
  async assertWhole(): Promise<void> {
    const { repository, branch, drySHAs } = this
    const last = drySHAs.at(-1) ?? ''
    for (const name of this.names) await this.#fixture.waitFor(name, isHydratedAt(last))
    const commits = (await repository.commits(branch)).filter((one) => !this.#firstCommits.has(one))
    for (const commit of commits.filter((one) => !this.#drySHAOf.has(one))) {
      const metadata = JSON.parse(await repository.read(commit, 'hydrator.metadata')) as { drySha: string }
      this.#drySHAOf.set(commit, metadata.drySha)
    }
    assert.deepEqual(commits.map((commit) => this.#drySHAOf.get(commit)).toReversed(), drySHAs.slice(1))
    assert.equal(await repository.note(branch), `{"drySha":"${last}"}\n`)
    assert.deepEqual(await repository.files(branch), [
      'hydrator.metadata',
      ...['one', 'two'].flatMap((path) => [
        `${path}/README.md`,
        `${path}/hydrator.metadata`,
        `${path}/manifest.yaml`,
      ]),
    ])
    for (const path of ['one', 'two']) {
      assert.equal(
        await repository.read(branch, `${path}/manifest.yaml`),
        `apiVersion: v1\ndata:\n  value: "${drySHAs.length}"\nkind: ConfigMap\nmetadata:\n  name: ${path}\n`,
      )
      const metadata = JSON.parse(await repository.read(branch, `${path}/hydrator.metadata`)) as {
        drySha: string
      }
      assert.equal(metadata.drySha, last)
    }
  }
}

function filesOf(value: string): Record<string, string> {
  return { 'one/a.yaml': configMap('one', value), 'two/a.yaml': configMap('two', value) }
}
