import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { makeGpgHome, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { startUsersMesh, type UsersMesh } from '../access/users-fixture.ts'

describe('GPG keys', { skip: noSigningPrograms }, () => {
  let mesh: UsersMesh
  before(async () => {
    mesh = await startUsersMesh()
    await mesh.applyPolicy('p, ann, gpgkeys, get, *, allow', 'p, bob, gpgkeys, *, *, allow')
  })
  after(() => mesh[Symbol.asyncDispose]())

  test('are read, added and removed with the rights of their own resource', async () => {
    await using home = await makeGpgHome()
    const key = await home.addKey('Alice <alice@example.com>')
    const keyData = Buffer.from(await home.publicKey(key))
    const { keyId } = key
    const [ann, bob] = [await mesh.connectAs('ann'), await mesh.connectAs('bob')]
    const denied = { code: Code.PermissionDenied }
    await assert.rejects(ann.gpgKeys.createGpgKeys({ keyData }), denied)
    const { created } = await bob.gpgKeys.createGpgKeys({ keyData })
    assert.deepEqual(
      created.map((one) => one.keyId),
      [keyId],
    )
    assert.equal((await ann.gpgKeys.listGpgKeys({})).keys[0]?.owner, 'Alice <alice@example.com>')
    await assert.rejects(ann.gpgKeys.deleteGpgKey({ keyId }), denied)
    // The ConfigMap itself is one of the operator's settings.
    const resource = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-gpg-keys-cm' },
      data: {},
    }
    await assert.rejects(bob.resources.applyResource({ resource }), denied)
    await mesh.applyPolicy()
    await assert.rejects(ann.gpgKeys.listGpgKeys({}), denied)
    await assert.rejects(ann.gpgKeys.getGpgKey({ keyId }), denied)
    await mesh.admin.gpgKeys.deleteGpgKey({ keyId })
    assert.deepEqual((await mesh.admin.gpgKeys.listGpgKeys({})).keys, [])
  })
})
