import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@wadi/testing/until.ts'
import { startMirrorFixture } from './mirror-fixture.ts'

const branches = ['+refs/heads/*:refs/heads/*']

test('maintenance packs everything and loses nothing', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const { stdout } = await mirror.raw(['hash-object', '-w', '--stdin'], { input: 'unreferenced' })
  await mirror.maintain()
  assert.deepEqual((await readdir(path.join(mirror.directory, 'objects'))).toSorted(), ['info', 'pack'])
  assert.equal(await mirror.hasObject(stdout.toString().trim()), true)
  assert.equal(await mirror.objects.resolve('main'), await fixture.repository.head())
})

test('packs and objects are joined after many fetches and built commits, not only by the hour', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  for (const name of ['a', 'b', 'c']) {
    await repository.commitFiles({ [name]: name }, `${name}\n`)
    await mirror.fetch(branches)
  }
  const objects = path.join(mirror.directory, 'objects')
  const packs = async () =>
    (await readdir(path.join(objects, 'pack'))).filter((name) => name.endsWith('.pack'))
  const before = await packs()
  const loose = (await readdir(objects)).length - 2
  assert.ok(before.length + loose > 2)
  for (let write = 0; write < 50; write += 1) mirror.countWrite()
  await delay(100)
  assert.deepEqual(await packs(), before)
  for (let write = 50; write < 64; write += 1) mirror.countWrite()
  await until(async () => (await readdir(objects)).length === 2 && (await packs()).length === 1)
  assert.equal(await mirror.objects.resolve('main'), await repository.head())
})
