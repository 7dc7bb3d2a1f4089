// Own process: a node, its pods and what they write.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { Release } from './release-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`nothing is tested in pods: ${missing}`)

suite('the small shape on a node', { skip: missing ?? false }, () => {
  test('hydrates each dry commit once, whatever happens to its pod', async () => {
    await using owned = new AsyncDisposableStack()
    const release = await Release.install('small', ['shape=small'])
    const [pod = '', ...others] = await release.pods()
    assert.deepEqual(others, [])
    const web = await release.addApplication(owned, 'web')
    const pushed = await web.dryCommits()
    const deletions = [[], ['--grace-period=0', '--force'], ['--grace-period=0', '--force']]
    for (const flags of deletions) {
      const first = await web.push()
      pushed.push(first)
      await web.hydrated(first)
      // One that is under way when the pod goes, and one while there is no pod.
      pushed.push(await web.push())
      await release.kubectl('delete', 'pod', pod, '--wait=false', ...flags)
      const last = await web.push()
      pushed.push(last)
      await release.ready()
      await web.hydrated(last)
    }
    assert.deepEqual((await web.dryCommits()).slice(-pushed.length), pushed)
  })
})
