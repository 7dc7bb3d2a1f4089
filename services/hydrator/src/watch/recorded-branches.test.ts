import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { HydrateApplicationRequestSchema } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { until } from '@wadi/testing/until.ts'
import { hydrateApplication } from '../routes/hydrate-application.ts'
import { runBranch } from '../run/run-branch.ts'
import { application, controlPlaneObject, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { Neighbours, sha } from '../run/run-neighbours-fixture.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { RecordedBranches } from './recorded-branches.ts'

const { signal } = new AbortController()
const key = branchKey(repoURL, 'env/dev')

/** A hydrator that leaves Applications to Argo CD's, one branch and what is known of those that are left. */
async function start(neighbours: Neighbours) {
  const fixture = await startRunFixture(neighbours.peers, { operations: false, yieldsToArgoCd: true })
  await fixture.add(application('a'))
  const metrics = createMetrics('hydrator')
  const left = new RecordedBranches(metrics)
  const end = new AbortController()
  const following = left.follow(fixture.store, end.signal)
  return {
    fixture,
    left,
    failing: async () => /^wadi_failing_branches\{.*\} (\d+)$/m.exec(await metrics.expose())?.[1],
    run: () => runBranch(fixture.context, key, signal),
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await following
      await fixture[Symbol.asyncDispose]()
    },
  }
}

test('a branch of another installation is named in the warning until it is taken over', async () => {
  const neighbours = new Neighbours()
  neighbours.position = { headSha: sha(3), drySha: sha(1), installation: 'other' }
  await using bed = await start(neighbours)
  assert.equal(bed.left.warning(), undefined)
  await bed.run()
  const expected =
    '1 is left to another installation of Wadi, first env/dev of https://git.example.com/team/apps.git; the status of their Applications says why and what to do'
  await until(() => bed.left.warning() === expected)
  await bed.fixture.request('a', 'hard')
  await bed.run()
  await until(() => bed.left.warning() === undefined)
})

test("who asks for a branch that is left to Argo CD's own hydrator gets the reason at once, and the warning names it", async () => {
  await using bed = await start(new Neighbours())
  const { fixture, left } = bed
  const queued: string[] = []
  const queue = { enqueue: async (branch: string) => void queued.push(branch) }
  const asked = create(HydrateApplicationRequestSchema, { namespace: 'argocd', name: 'a' })
  const ask = () => hydrateApplication({ ...fixture.context, queue })(asked, { signal })
  assert.deepEqual(await ask(), { branchKey: key, leftAlone: '' })
  const parameters = { data: { 'hydrator.enabled': 'true' } }
  await fixture.add(controlPlaneObject('ConfigMap', 'argocd-cmd-params-cm', parameters))
  assert.match((await ask()).leftAlone, /^Argo CD's own hydrator is on .* turn it off/)
  assert.deepEqual(queued, [key, key])
  await bed.run()
  await until(() => left.warning()?.startsWith("1 is left to Argo CD's own hydrator, first env/dev") === true)
  await fixture.store.delete('ConfigMap', 'argocd', 'argocd-cmd-params-cm')
  await bed.run()
  await until(() => left.warning() === undefined)
})

test('a branch whose run fails is counted until one succeeds', async () => {
  const neighbours = new Neighbours()
  neighbours.broken.inspect.add('apps/a')
  await using bed = await start(neighbours)
  assert.equal(await bed.failing(), '0')
  await bed.run()
  await until(async () => (await bed.failing()) === '1')
  neighbours.broken.inspect.clear()
  await bed.fixture.request('a', 'hard')
  await bed.run()
  await until(async () => (await bed.failing()) === '0')
})
