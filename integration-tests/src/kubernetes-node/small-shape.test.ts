import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { HydratedApplication } from './hydrated-application-fixture.ts'
import { byForce, Release } from './release-fixture.ts'
import { sharedNode } from './shared-node-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`nothing is tested in pods: ${missing}`)

/** At rest; 190 are usual. */
const maxMiB = 300

suite('the small shape on a node', { skip: missing ?? false }, () => {
  test('hydrates each dry commit once, whatever happens to its pod', async () => {
    await using owned = new AsyncDisposableStack()
    const release = owned.use(await Release.install(await sharedNode(), 'small', ['shape=small']))
    const [pod = '', ...others] = await release.pods()
    assert.deepEqual(others, [])
    const web = await HydratedApplication.add(release, owned)
    assert.ok((await release.memoryOf(pod)) <= maxMiB)
    for (const flags of [[], byForce, byForce]) await web.pushAround(pod, ...flags)
    assert.deepEqual(await web.dryCommits(), web.pushed)
  })
})
