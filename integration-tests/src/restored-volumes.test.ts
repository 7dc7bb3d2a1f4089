import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { applicationNames } from './application-sets/set-fixture.ts'
import { configMap } from './application-fixture.ts'
import { startProcessMesh } from './process-mesh-fixture.ts'

/** The volumes of `deploy/compose.yaml` that need a backup. */
const volumes = ['identity', 'state', 'renders', 'commits'] as const

/** The one that is the data directory of a service. */
const volumeOf = {
  'api-gateway': 'state',
  'appset-service': 'state',
  hydrator: 'state',
  'repo-server': 'renders',
  'commit-server': 'commits',
  'cmp-server': 'plugins',
} as const

test('volumes of single services are backed up while they run, and the restored ones hydrate on', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-volumes-'))
  const pathOf = (volume: string) => join(directory.path, volume)
  await shareToolCache(pathOf('renders'))
  await using mesh = await startProcessMesh({
    environmentOf: (service) => ({
      WADI_DATA_DIR: pathOf(volumeOf[service]),
      WADI_SERVICE_KEY_FILE: join(pathOf('identity'), 'service.key'),
    }),
  })
  const { fixture, processes } = mesh
  const admin = async (...args: string[]) => {
    const { code, stderr } = await runWadi(['admin', ...args])
    assert.equal(code, 0, stderr)
  }
  const { repository, branch } = await fixture.hydratedOnce('before')
  const before = await repository.commits(branch)
  for (const volume of volumes) await admin('backup', pathOf(`copy-of-${volume}`), '--data', pathOf(volume))
  await fixture.apply({ name: 'after', repoURL: repository.url, branch: 'environments/after' })

  const services = Object.values(processes).flat()
  await Promise.all(services.map((service) => service.kill()))
  for (const volume of volumes) {
    await rm(pathOf(volume), { recursive: true })
    // As a new volume: there, and empty.
    await mkdir(pathOf(volume))
    await admin('restore', pathOf(`copy-of-${volume}`), '--data', pathOf(volume))
  }
  await shareToolCache(pathOf('renders'))
  await Promise.all(services.map((service) => service.start()))
  assert.deepEqual(await applicationNames(fixture.gateway), ['before'])
  await fixture.hydrateTo(await repository.dry.head(), 'before')
  assert.deepEqual(await repository.commits(branch), before)
  const drySha = await repository.push({ 'before/a.yaml': configMap('before', '2') })
  await fixture.hydrateTo(drySha, 'before')
  assert.deepEqual((await repository.commits(branch)).slice(1), before)
})
