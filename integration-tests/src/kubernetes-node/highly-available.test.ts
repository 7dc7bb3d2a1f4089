import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { HydratedApplication } from './hydrated-application-fixture.ts'
import { byForce, Release, twoOfEach } from './release-fixture.ts'
import { sharedNode } from './shared-node-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`no rollout is tested in pods: ${missing}`)

suite('the highly available shape on a node', { skip: missing ?? false }, () => {
  test('loses no call in a rollout, and no dry commit whichever pod ends', async () => {
    await using owned = new AsyncDisposableStack()
    const release = owned.use(await Release.install(await sharedNode(), 'available', twoOfEach))
    const web = await HydratedApplication.add(release, owned)
    const load = await release.load()
    const pushes = async () => {
      for (let count = 0; count < 8; count++) {
        await web.push()
        await web.hydrated()
      }
    }
    await Promise.all([release.restart(), pushes()])
    await load.end()
    assert.deepEqual(load.failures, [])
    assert.ok(load.calls > 500, `${load.calls} calls`)

    for (const service of ['hydrator', 'repo-server', 'commit-server', 'redis']) {
      await web.pushAround('--selector', `app.kubernetes.io/name=${service}`, ...byForce)
    }
    await web.pushAround('--selector', 'app.kubernetes.io/part-of=wadi', ...byForce)
    assert.deepEqual(await web.dryCommits(), web.pushed)
  })
})
