import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { installationConfigMap, installationId, isInstallationId } from './installation-id.ts'

async function withStore(work: (store: ResourceStore) => Promise<void>): Promise<void> {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-installation-'))
  await using store = openSqliteStore({ file: path.join(directory.path, 'state.db') })
  await work(store)
}

function configMap(id: string) {
  const metadata = { name: installationConfigMap, namespace: 'argocd' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { id } }
}

test('the id is made once, is another in each store, and stays with the store', async () => {
  await withStore(async (store) => {
    const made = await installationId(store)
    assert.ok('id' in made && isInstallationId(made.id))
    assert.deepEqual(await installationId(store), made)
    await withStore(async (other) => assert.notDeepEqual(await installationId(other), made))
  })
})

test('an id that an operator gives is used, and one that cannot be used is reported with what to do', async () => {
  await withStore(async (store) => {
    const stored = await store.create(configMap('two words'))
    assert.deepEqual(await installationId(store), {
      missing:
        'ConfigMap wadi-installation: id is "two words"; give 1 to 64 letters, digits and hyphens, or delete the ConfigMap for a new id',
    })
    await store.update({ ...stored, data: { id: 'moved-here' } })
    assert.deepEqual(await installationId(store), { id: 'moved-here' })
  })
})

test('an account that may not make the ConfigMap waits for the one that may', async () => {
  await withStore(async (store) => {
    const create = async () => {
      throw new PermissionDeniedError('configmaps is forbidden')
    }
    const restricted = Object.assign(Object.create(store) as ResourceStore, {
      create,
      get: store.get.bind(store),
    })
    assert.deepEqual(await installationId(restricted), {
      missing:
        'ConfigMap wadi-installation with the id of the installation is not there; api-gateway makes it when it starts (configmaps is forbidden)',
    })
    await store.create(configMap('made-by-another'))
    assert.deepEqual(await installationId(restricted), { id: 'made-by-another' })
  })
})
