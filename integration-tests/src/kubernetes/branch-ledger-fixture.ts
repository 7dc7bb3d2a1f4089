import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { type ApplicationFixture, configMap } from '../application-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** The place in the API of the records of branches. */
export const hydratedBranches = {
  group: 'wadi.dev',
  version: 'v1alpha1',
  kind: 'HydratedBranch',
  plural: 'hydratedbranches',
}

const pauseMs = 40

/** Repositories with the same hydrated branches each, one Application for each of them, and what they were pushed. */
export class BranchLedger {
  readonly repositories: readonly RepositoryFixture[]
  readonly #client: KubernetesClient
  readonly #branches: readonly string[]
  readonly #drySHAs = new Map<RepositoryFixture, string[]>()
  #pushes = 0

  constructor(
    client: KubernetesClient,
    parts: { repositories: readonly RepositoryFixture[]; branchesOfEach: number },
  ) {
    this.#client = client
    this.repositories = parts.repositories
    this.#branches = Array.from({ length: parts.branchesOfEach }, (_, index) => `environments/e${index}`)
  }

  /** Branches of all repositories. */
  get count(): number {
    return this.repositories.length * this.#branches.length
  }

  /** An Application for each branch. */
  get applications(): ApplicationFixture[] {
    return this.repositories.flatMap(({ url }, index) =>
      this.#branches.map((branch, of) => ({ name: `app-${index}-${of}`, path: 'web', repoURL: url, branch })),
    )
  }

  /** Pushes a change to every repository. */
  async push(): Promise<void> {
    const files = { 'web/a.yaml': configMap('web', String(++this.#pushes)) }
    for (const repository of this.repositories) {
      const known = this.#drySHAs.get(repository) ?? []
      this.#drySHAs.set(repository, [...known, await repository.push(files)])
    }
  }

  /** Waits until every record names the newest dry commit. */
  async hydrated(): Promise<void> {
    const deadline = performance.now() + hangLimitMs
    while (!(await this.#isHydrated())) {
      assert.ok(performance.now() < deadline, `the branches are not hydrated within ${hangLimitMs} ms`)
      await delay(pauseMs)
    }
  }

  /** Each branch must have one commit for each dry commit that it got, in their order, and the newest. */
  async assertWhole(): Promise<void> {
    const pairs = this.repositories.flatMap((repository) =>
      this.#branches.map((branch) => ({ repository, branch })),
    )
    await Promise.all(
      pairs.map(async ({ repository, branch }) => {
        const pushed = this.#drySHAs.get(repository) ?? []
        const commits = (await repository.commits(branch)).toReversed()
        const metadata = await repository.readEach(commits, 'hydrator.metadata')
        const held = [...metadata.matchAll(/^  "drySha": "(\w+)"/gm)].map(([, sha]) => sha)
        assert.equal(held.length, commits.length)
        const inOrder = pushed.filter((sha) => held.includes(sha))
        assert.deepEqual(held, inOrder, 'each once, in their order')
        assert.equal(held.at(-1), pushed.at(-1))
      }),
    )
  }

  async #isHydrated(): Promise<boolean> {
    const newest = new Map(this.repositories.map((one) => [one.url, this.#drySHAs.get(one)?.at(-1)]))
    // Without an API server nobody knows; the next read does.
    const list = await this.#client.list(hydratedBranches, { namespace: 'argocd' }).catch(() => undefined)
    const done = (list?.items ?? []).filter((item) => {
      const { repoUrl, status } = readHydratedBranch(item)
      const [group] = status.groups
      return group?.phase === 'Hydrated' && group.success?.drySha === newest.get(repoUrl)
    })
    return done.length === this.count
  }
}

/** Services that hydrate the branches of a ledger. */
interface CountedHydration {
  readonly ledger: BranchLedger
  /** Milliseconds after which a run that is too many would have come. */
  readonly settleMs: number
  /** Runs that finished since the last call. */
  countRuns(): Promise<number>
}

/**
 * Pushes a change to all repositories, makes trouble, and waits until every branch and record is at the newest dry commit and whole. Returns the
 * finished runs for each branch, those of killed processes not counted.
 */
export async function changeAll(
  hydration: CountedHydration,
  trouble: () => Promise<void> = async () => undefined,
): Promise<number> {
  const { ledger, settleMs } = hydration
  await hydration.countRuns()
  await ledger.push()
  await trouble()
  await ledger.hydrated()
  await ledger.assertWhole()
  await delay(settleMs)
  return (await hydration.countRuns()) / ledger.count
}
