import type { Reuse } from '@wadi/incremental/reuse.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { type GroupStatus, readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { runBranch } from './run-branch.ts'
import { repoURL, startRunFixture } from './run-fixture.ts'
import { Neighbours } from './run-neighbours-fixture.ts'

/** The key of the branch that the Applications of the fixture are hydrated to. */
const dev = branchKey(repoURL, 'env/dev')

/** One hydrated branch between neighbours that answer as a test says. */
export async function startBranchBed(status?: Parameters<typeof startRunFixture>[1], reuse?: Reuse) {
  const { signal } = new AbortController()
  const neighbours = new Neighbours()
  const fixture = await startRunFixture(neighbours.peers, status, reuse)
  return {
    neighbours,
    fixture,
    run: () => runBranch(fixture.context, dev, signal),
    /** The log of its runs, the newest first. */
    runs: () => fixture.context.runs.list(dev),
    /** The groups that its record has; undefined without a record. */
    async groups(): Promise<readonly GroupStatus[] | undefined> {
      const record = await fixture.store.get('HydratedBranch', 'argocd', dev)
      return record && readHydratedBranch(record).status.groups
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}
