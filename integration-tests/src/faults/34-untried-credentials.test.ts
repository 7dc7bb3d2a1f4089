import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { rejectionOf } from '../application-sets/set-fixture.ts'
import { sharedCrashMesh } from '../crash-fixture.ts'
import { gitUser } from '../mesh-fixture.ts'

test('credentials are not stored before they are known to work, though the service ends while it tries them', async (t) => {
  const mesh = await sharedCrashMesh()
  const { repositories } = mesh.fixture.gateway
  for (const owner of ['repo-server', 'commit-server'] as const) {
    await t.test(owner, async () => {
      const { url: repoUrl } = await mesh.fixture.createRepository(`tried-${owner}`)
      const request = { repoUrl, write: owner === 'commit-server' }
      await repositories.createRepository({ ...request, password: 'first', skipValidation: true })
      mesh.git.listen(async () => {
        mesh.git.listen(undefined)
        await mesh.processes[owner][0]?.kill()
        return 503
      })
      const rejection = rejectionOf(repositories.createRepository({ ...request, ...gitUser, upsert: true }))
      assert.match((await rejection) ?? '', /^Unavailable/)
      await mesh.processes[owner][0]?.ended()
      await mesh.processes[owner][0]?.start()
      await using store = openSqliteStore({
        file: join(mesh.fixture.directory, 'data', owner, 'credentials.db'),
      })
      const { items } = await store.list('Secret')
      const found = items.find(({ data }) => decoded(data?.['url']) === repoUrl)
      assert.equal(decoded(found?.data?.['password']), 'first')
    })
  }
})

function decoded(text = ''): string {
  return Buffer.from(text, 'base64').toString()
}
