import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { incompleteMarker } from '@wadi/errors/unusable-directory.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { fillDisk, mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { nodeOptions } from '@wadi/testing/quick-start.ts'
import { mainFile, runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { smallBackup } from '../testing/small-backup-fixture.ts'

const damages: [string, (copy: string) => Promise<unknown>, RegExp][] = [
  ['a changed file', (copy) => appendFile(join(copy, 'state.db'), 'x'), /is not the file that was backed up/],
  ['a missing file', (copy) => rm(join(copy, 'service.key')), /service\.key cannot be read/],
  ['no record', (copy) => rm(join(copy, 'backup.json')), /is not a backup of \\?"wadi admin backup/],
  [
    'a record of other files',
    (copy) =>
      writeFile(
        join(copy, 'backup.json'),
        '{"format":1,"createdAt":"","files":{"state.db":{"bytes":1,"sha256":""},"../x":{"bytes":1,"sha256":""}}}',
      ),
    /is not the record of a backup/,
  ],
]
for (const [what, damage, message] of damages) {
  test(`a backup with ${what} is refused, and nothing is made of it`, async () => {
    await using directory = await temporaryDirectory()
    const { copy } = await smallBackup(directory.path)
    await damage(copy)
    const { code, stderr } = await runWadi(['admin', 'restore', copy, '--data', join(directory.path, 'new')])
    assert.equal(code, 20)
    assert.match(stderr, message)
    assert.deepEqual((await readdir(directory.path)).toSorted(), ['copy', 'data'])
  })
}

test('no data directory is made over another one', async () => {
  await using directory = await temporaryDirectory()
  const { data, copy } = await smallBackup(directory.path)
  const before = await readdir(data)
  const { code, stderr } = await runWadi(['admin', 'restore', copy, '--data', data])
  assert.equal(code, 20)
  assert.match(stderr, /data is not empty, it has /)
  assert.deepEqual(await readdir(data), before)
})

async function namesIn(data: string): Promise<string[]> {
  await using store = openSqliteStore({ file: join(data, 'state.db') })
  return (await store.list('ConfigMap')).items.map(({ metadata }) => metadata.name)
}

test(
  'a mounted volume is filled in place, for its owner alone, also by root',
  { skip: noSmallDisk },
  async () => {
    await using directory = await temporaryDirectory()
    await using owned = new AsyncDisposableStack()
    const { copy } = await smallBackup(directory.path)
    const [volume, copies] = [join(directory.path, 'volume'), join(directory.path, 'copies')]
    for (const disk of [volume, copies]) {
      await mountSmallDisk(owned, disk)
      await mkdir(join(disk, 'lost+found'))
    }
    const other = 54_321
    await chown(volume, other, other)
    const { code, stderr } = await runWadi(['admin', 'restore', copy, '--data', volume])
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual((await readdir(volume)).toSorted(), ['lost+found', 'service.key', 'state.db'])
    for (const name of ['state.db', 'service.key']) {
      const { mode, uid, gid } = await stat(join(volume, name))
      assert.deepEqual([mode & 0o777, uid, gid], [0o600, other, other])
    }
    const backup = await runWadi(['admin', 'backup', copies, '--data', volume])
    assert.deepEqual([backup.code, backup.stderr], [0, ''])
    assert.deepEqual(await namesIn(volume), ['a'])
  },
)

test(
  'a restore that the disk has no room for says so with the place, leaves nothing, and can be run again',
  { skip: noSmallDisk },
  async () => {
    await using directory = await temporaryDirectory()
    await using owned = new AsyncDisposableStack()
    const { copy } = await smallBackup(directory.path)
    const disk = join(directory.path, 'disk')
    await mountSmallDisk(owned, disk)
    const restore = () => runWadi(['admin', 'restore', copy, '--data', disk])
    {
      await mkdir(join(disk, 'lost+found'))
      await using stack = new AsyncDisposableStack()
      stack.use(await fillDisk(join(disk, 'lost+found')))
      const { code, stderr } = await restore()
      assert.equal(code, 20)
      assert.match(stderr, /\/disk is not made: .*no space left on device/)
      assert.deepEqual(await readdir(disk), ['lost+found'])
    }
    assert.equal((await restore()).code, 0)
    assert.deepEqual(await namesIn(disk), ['a'])
  },
)

test(
  'a store that is larger than the disk leaves no half of it, neither as a backup nor restored',
  { skip: noSmallDisk },
  async () => {
    await using directory = await temporaryDirectory()
    await using owned = new AsyncDisposableStack()
    const data = join(directory.path, 'data')
    const store = owned.use(openSqliteStore({ file: join(data, 'state.db') }))
    for (let number = 0; number < 10; number++) {
      const metadata = { namespace: 'n', name: `c-${number}` }
      await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: 'x'.repeat(500_000) } })
    }
    const copy = join(directory.path, 'copy')
    assert.equal((await runWadi(['admin', 'backup', copy, '--data', data])).code, 0)
    const disk = join(directory.path, 'disk')
    await mountSmallDisk(owned, disk)
    for (const args of [
      ['backup', join(disk, 'd'), '--data', data],
      ['restore', copy, '--data', join(disk, 'd')],
    ]) {
      const { code, stderr } = await runWadi(['admin', ...args])
      assert.equal(code, 20)
      assert.match(stderr, /disk\/d is not made: .*(?:no space left on device|disk is full)/)
      assert.deepEqual(await readdir(disk), [])
    }
  },
)

/** Starts a restore and kills it when the target has so many names. */
async function killedRestore(copy: string, target: string, count: number): Promise<void> {
  const args = [...nodeOptions, mainFile, 'admin', 'restore', copy, '--data', target]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  while (child.exitCode === null && (await readdir(target)).length < count) await new Promise(setImmediate)
  child.kill('SIGKILL')
  await exited
}

for (const count of [1, 2, 3]) {
  test(`a restore that is killed after ${count} files is refused by services and can be run again`, async () => {
    await using directory = await temporaryDirectory()
    const { copy } = await smallBackup(directory.path)
    const target = join(directory.path, 'target')
    await mkdir(target)
    await killedRestore(copy, target, count)
    // It may have come to its end just before.
    if ((await readdir(target)).includes(incompleteMarker)) {
      const up = await runWadi(['up', '--data', target, '--listen', '127.0.0.1:0'], { inOwnProcess: true })
      assert.notEqual(up.code, 0)
      assert.match(up.stderr, /target is incomplete: .*wadi admin restore.* run it again/)
      await assert.rejects(namesIn(target), /is incomplete/)
      const { stderr } = await runWadi(['admin', 'backup', join(directory.path, 'other'), '--data', target])
      assert.match(stderr, /is incomplete/)
      assert.equal((await runWadi(['admin', 'restore', copy, '--data', target])).code, 0)
    }
    assert.deepEqual(await namesIn(target), ['a'])
    assert.deepEqual((await readdir(target)).toSorted(), ['service.key', 'state.db'])
  })
}

test('what an interrupted restore left is replaced, but nothing that is not its own', async () => {
  await using directory = await temporaryDirectory()
  const { copy } = await smallBackup(directory.path)
  const target = join(directory.path, 'target')
  await mkdir(join(target, 'commit-server'), { recursive: true })
  for (const name of [incompleteMarker, 'admin.token', 'state.db', 'mine'])
    await writeFile(join(target, name), '')
  const { code, stderr } = await runWadi(['admin', 'restore', copy, '--data', target])
  assert.equal(code, 20)
  assert.match(stderr, /target is not empty, it has mine/)
  assert.equal((await readdir(target)).length, 5)
  await rm(join(target, 'mine'))
  assert.equal((await runWadi(['admin', 'restore', copy, '--data', target])).code, 0)
  assert.deepEqual((await readdir(target)).toSorted(), ['service.key', 'state.db'])
})

test('a directory that another command fills is left alone', async () => {
  await using directory = await temporaryDirectory()
  const { copy } = await smallBackup(directory.path)
  const target = join(directory.path, 'target')
  await mkdir(target)
  for (const name of [incompleteMarker, 'state.db']) await writeFile(join(target, name), '')
  using other = new DatabaseSync(join(target, incompleteMarker))
  other.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  const { code, stderr } = await runWadi(['admin', 'restore', copy, '--data', target])
  assert.equal(code, 20)
  assert.match(stderr, /target is being filled by another command/)
  assert.deepEqual((await readdir(target)).toSorted(), ['state.db', incompleteMarker])
})

test('a backup that was not made to its end is not restored', async () => {
  await using directory = await temporaryDirectory()
  const { copy } = await smallBackup(directory.path)
  const other = join(directory.path, 'other')
  await cp(copy, other, { recursive: true })
  await writeFile(join(other, incompleteMarker), '')
  const { code, stderr } = await runWadi([
    'admin',
    'restore',
    other,
    '--data',
    join(directory.path, 'target'),
  ])
  assert.equal(code, 20)
  assert.match(stderr, /other is incomplete/)
  assert.deepEqual((await readdir(directory.path)).toSorted(), ['copy', 'data', 'other'])
})
