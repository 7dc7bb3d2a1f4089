import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Resource } from '../resource.ts'
import { storeContract } from './contract/store-contract-fixture.ts'
import { openDatabase } from './sqlite-database.ts'
import { openSqliteStore } from './sqlite-store.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wadi-store-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

let files = 0
function open() {
  return openSqliteStore({ file: join(scratch, `${files++}`, 'store.db') })
}

function application(name: string, extra: Partial<Resource> = {}): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name },
    spec: { project: 'default' },
    ...extra,
  }
}

storeContract('SQLite', open)

test('the file is for its owner alone, as are its directory and its log', async () => {
  const file = join(scratch, 'private', 'store.db')
  await using store = openSqliteStore({ file })
  await store.create(application('a'))
  const modes = [join(scratch, 'private'), file, `${file}-wal`, `${file}-shm`].map(
    (path) => statSync(path).mode & 0o777,
  )
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600])
})

test('a file that a newer version wrote is refused', () => {
  const file = join(scratch, 'newer.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 99')
  database.close()
  assert.throws(() => openSqliteStore({ file }), {
    name: 'FailedPreconditionError',
    message: `${file} was written by a newer version of Wadi (schema 99, this one knows 1); start that version, or put a backup from before the upgrade in its place, see "wadi admin restore --help"`,
  })
})

test('a file that is no database is refused by its name', () => {
  const file = join(scratch, 'damaged.db')
  writeFileSync(file, 'no database at all '.repeat(500))
  assert.throws(() => openSqliteStore({ file }), {
    name: 'FailedPreconditionError',
    message: `${file} is damaged, copied while a service wrote to it, or not a store of Wadi (file is not a database); put a backup in its place, see "wadi admin restore --help"`,
  })
})

test('a new file that another process opens at the same moment is opened a moment later', (t) => {
  let isRefused = false
  const opening = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (!isRefused) {
      isRefused = true
      throw Object.assign(new Error('database is locked'), { errcode: 5 })
    }
    opening.mock.restore()
    this.exec(sql)
  })
  const file = join(scratch, 'both.db')
  openDatabase(file).close()
  using found = new DatabaseSync(file)
  assert.equal(found.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
})

test('an object outlives the store that wrote it', async () => {
  const file = join(scratch, 'durable.db')
  const first = openSqliteStore({ file })
  const created = await first.create(application('a'))
  await first[Symbol.asyncDispose]()
  await using second = openSqliteStore({ file })
  assert.deepEqual(await second.get('Application', 'argocd', 'a'), created)
})

test('a change that was asked for when the store was closed is stored', async () => {
  const file = join(scratch, 'closing.db')
  const first = openSqliteStore({ file })
  const creating = first.create(application('a'))
  await first[Symbol.asyncDispose]()
  const created = await creating
  await using second = openSqliteStore({ file })
  assert.deepEqual(await second.get('Application', 'argocd', 'a'), created)
})

test('the version of a list is that of the last change of any kind, and what changes nothing uses none', async () => {
  await using store = open()
  assert.equal((await store.list('Application')).resourceVersion, '0')
  const created = await store.create(application('a'))
  assert.equal(created.metadata.resourceVersion, '1')
  await store.update(created)
  await store.create({ ...application('x'), kind: 'AppProject' })
  assert.equal((await store.list('Application')).resourceVersion, '2')
})

test('generations count changes of the spec alone', async () => {
  await using store = open()
  const created = await store.create(application('a'))
  const withStatus = await store.updateStatus({ ...created, status: { phase: 'Hydrated' } })
  assert.equal(withStatus.metadata.generation, 1)
  const labelled = await store.update({
    ...withStatus,
    metadata: { ...withStatus.metadata, labels: { team: 'a' } },
  })
  assert.equal(labelled.metadata.generation, 1)
  const changed = await store.update({ ...labelled, spec: { project: 'team' } })
  assert.equal(changed.metadata.generation, 2)
})

test('finalizers of Argo CD hold nothing, as no Argo CD works on the file', async () => {
  await using store = open()
  const create = (finalizers: string[]) =>
    store.create(application('a', { metadata: { namespace: 'argocd', name: 'a', finalizers } }))
  const ofArgocd = [
    'resources-finalizer.argocd.argoproj.io/foreground',
    'post-delete-finalizer.argocd.argoproj.io/cleanup',
    'pre-delete-finalizer.argocd.argoproj.io',
  ]
  await create(ofArgocd)
  await store.delete('Application', 'argocd', 'a')
  assert.equal(await store.get('Application', 'argocd', 'a'), undefined)
  await create([...ofArgocd, 'example.com/argocd.argoproj.io'])
  await store.delete('Application', 'argocd', 'a')
  assert.notEqual(await store.get('Application', 'argocd', 'a'), undefined)
})
