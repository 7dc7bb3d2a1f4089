import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { Release } from './release-fixture.ts'
import { sharedNode } from './shared-node-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`helm test is not tested: ${missing}`)

suite('helm test', { skip: missing ?? false }, () => {
  test('passes where Wadi hydrates, says what is broken, and leaves nothing but its pod', async () => {
    await using release = await Release.install(await sharedNode(), 'tested', ['shape=small'])
    const first = await release.test()
    assert.match(first.log, /the branch environments\/test has the manifests of the dry commit/)
    assert.equal(first.passed, true)
    assert.deepEqual(await left(release), ['pod/wadi-test'])
    // Another repository at the same address.
    const second = await release.test()
    assert.equal(second.passed, true, second.log)

    await release.kubectl('scale', 'statefulset', 'wadi-mesh', '--replicas=0')
    await release.kubectl('wait', 'pod/wadi-mesh-0', '--for=delete', '--timeout=120s')
    const third = await release.test()
    const said = /^FAILED: the gateway http:\/\/wadi-mesh:8080 does not answer \(.*\): see whether its pods/m
    assert.match(third.log, said)
    assert.equal(third.passed, false)
    assert.deepEqual(await left(release), ['pod/wadi-test'])
  })
})

/** Names what tests have made and is still there. */
async function left(release: Release): Promise<string[]> {
  const kinds = 'pods,secrets,configmaps,services,networkpolicies,serviceaccounts,appprojects,applications'
  const names = await release.kubectl('get', kinds, '--all-namespaces', '--output=name')
  return names.split('\n').filter((name) => name.includes('wadi-test'))
}
