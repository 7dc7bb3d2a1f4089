import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedCrashMesh } from '../crash-fixture.ts'

test('services that are asked to end during a push finish it or leave it whole for later', async () => {
  const mesh = await sharedCrashMesh()
  const { fixture, processes } = mesh
  const stopped = [...processes['commit-server'], ...processes.hydrator]
  const repository = await fixture.createRepository('stop', { 'stop/a.yaml': configMap('a', '1') })
  const branch = 'environments/stop'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'stop', repoURL: repository.url, branch })
  const second = await repository.push({ 'stop/a.yaml': configMap('a', '2') })
  const pushing = Promise.withResolvers<void>()
  mesh.git.listen(({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/git-receive-pack')) return undefined
    mesh.git.listen(undefined)
    for (const { pid } of stopped) process.kill(pid, 'SIGTERM')
    pushing.resolve()
    return undefined
  })
  await fixture.gateway.applications.hydrateApplication({ name: 'stop' }).catch(() => undefined)
  await pushing.promise
  for (const service of stopped) await service.ended()
  for (const service of stopped) await service.start()
  await fixture.hydrateTo(second, 'stop')
  assert.equal((await repository.commits(branch)).length, 2)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha: second })
  await fixture.gateway.applications.deleteApplication({ name: 'stop' })
})
