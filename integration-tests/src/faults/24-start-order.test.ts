import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedCrashMesh } from '../crash-fixture.ts'

test('services start in any order, and hydrate once the others are there', async () => {
  const mesh = await sharedCrashMesh()
  const { fixture, processes } = mesh
  const repository = await fixture.createRepository('order', { 'order/a.yaml': configMap('a', '1') })
  const branch = 'environments/order'
  const others = [...processes['repo-server'], ...processes['commit-server']]
  for (const service of [...processes.hydrator, ...others]) await service.kill()
  await fixture.apply({ name: 'order', repoURL: repository.url, branch })
  for (const service of processes.hydrator) await service.start()
  assert.equal(await repository.head(branch), '')
  for (const service of others.toReversed()) await service.start()
  await fixture.hydrateTo(await repository.dry.head(), 'order')
  assert.equal((await repository.commits(branch)).length, 1)
  await fixture.gateway.applications.deleteApplication({ name: 'order' })
})
