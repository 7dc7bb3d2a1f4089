import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { runWadi } from './run-wadi-fixture.ts'

/** Makes a data directory with one ConfigMap and a key, `data`, and a backup of it, `copy`. */
export async function smallBackup(directory: string) {
  const data = join(directory, 'data')
  const store = openSqliteStore({ file: join(data, 'state.db') })
  await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'argocd', name: 'a' } })
  await store[Symbol.asyncDispose]()
  await writeFile(join(data, 'service.key'), 'k'.repeat(32), { mode: 0o600 })
  const copy = join(directory, 'copy')
  const { code, stdout } = await runWadi(['admin', 'backup', copy, '--data', data])
  assert.deepEqual(
    [code, stdout],
    [0, `state.db: 1 ConfigMap\nservice.key\nchecked and complete in ${copy}\n`],
  )
  return { data, copy }
}
