import assert from 'node:assert/strict'
import { cp, mkdtempDisposable, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedCrashMesh } from '../crash-fixture.ts'

test('a database that is older than the branches makes no old render overwrite a newer one', async () => {
  await using backup = await mkdtempDisposable(join(tmpdir(), 'wadi-backup-'))
  const { fixture, processes } = await sharedCrashMesh()
  const owners = [...processes.hydrator, ...processes['api-gateway'], ...processes['appset-service']]
  const data = join(fixture.directory, 'data')
  const state = ['state.db', 'state.db-wal', 'state.db-shm']
  const stop = () => Promise.all(owners.map((service) => service.kill()))
  const start = async () => {
    for (const service of owners) await service.start()
  }
  const repository = await fixture.createRepository('restore', { 'restore/a.yaml': configMap('a', '1') })
  const branch = 'environments/restore'
  await fixture.applyAndWait(await repository.dry.head(), {
    name: 'restore',
    repoURL: repository.url,
    branch,
  })
  await stop()
  await cp(data, backup.path, { recursive: true, filter: (file) => file === data || /state\.db/.test(file) })
  await start()
  const second = await repository.push({ 'restore/a.yaml': configMap('a', '2') })
  await fixture.hydrateTo(second, 'restore')
  const commits = await repository.commits(branch)
  await stop()
  await Promise.all(state.map((name) => rm(join(data, name), { force: true })))
  await cp(backup.path, data, { recursive: true })
  await start()
  await fixture.hydrateTo(second, 'restore')
  assert.deepEqual(await repository.commits(branch), commits)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha: second })
  await fixture.gateway.applications.deleteApplication({ name: 'restore' })
})
