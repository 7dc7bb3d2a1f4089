import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { connectGateway } from '../gateway-fixture.ts'
import { makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { quietEnvironment } from '../mesh-fixture.ts'

const secret = 'wadi-session-keys'
const month = 31 * 24 * 3600

test('a new key signs nobody out, over restarts too', async () => {
  await using owned = new AsyncDisposableStack()
  const dataDirectory = await makeDataDirectory(await makeTestDirectory(owned))
  const start = () => startMesh({ dataDirectory, listen: '127.0.0.1:0', environment: quietEnvironment })
  let token = ''
  {
    await using mesh = await start()
    using operator = connectGateway(mesh.address, mesh.adminToken)
    const metadata = { name: 'argocd-cm' }
    const data = { 'accounts.ann': 'login' }
    await operator.resources.applyResource({
      resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
    })
    const password = 'password of ann'
    await operator.accounts.updatePassword({ name: 'ann', newPassword: password })
    token = (await operator.sessions.create({ username: 'ann', password })).token
  }
  const keys = await ageKeys(join(dataDirectory, 'state.db'))
  assert.equal(keys.length, 1)
  {
    await using mesh = await start()
    using ann = connectGateway(mesh.address, token)
    assert.deepEqual((await ann.sessions.getUserInfo({})).username, 'ann')
    assert.deepEqual((await ann.applications.listApplications({})).applications, [])
  }
  const now = await ageKeys(join(dataDirectory, 'state.db'), 0)
  assert.deepEqual([now.length, now[0]], [2, keys[0]])
})

/** Makes the keys of a mesh that does not run older, and returns their ids. */
async function ageKeys(file: string, seconds = month): Promise<string[]> {
  await using store = openSqliteStore({ file })
  const ids: string[] = []
  await mutate(store, 'Secret', controlPlaneNamespace, secret, (current) => {
    const text = Buffer.from(current.data?.['keys'] ?? '', 'base64').toString()
    const keys = JSON.parse(text) as { kid: string; createdAt: number }[]
    ids.push(...keys.map(({ kid }) => kid))
    const older = keys.map((key) => ({ ...key, createdAt: key.createdAt - seconds }))
    const data = { keys: Buffer.from(JSON.stringify(older)).toString('base64') }
    return { ...current, data }
  })
  return ids
}
