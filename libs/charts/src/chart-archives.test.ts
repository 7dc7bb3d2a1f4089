import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ChartArchives } from './chart-archives.ts'

test('an archive is read by its digest and owner, and a damaged one is not', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-archives-'))
  const archives = new ChartArchives(directory.path, 1_000)
  const digest = await archives.write(Buffer.from('chart'), 'a')
  assert.equal((await archives.read(digest, 'a'))?.toString(), 'chart')
  assert.equal(await archives.read(digest, 'b'), undefined)
  const [name = ''] = await readdir(directory.path)
  await writeFile(join(directory.path, name), 'other')
  assert.equal(await archives.read(digest, 'a'), undefined)
})

test('the least recently used archives go, and the newest stays even if it is larger than the bound', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-archives-'))
  const archives = new ChartArchives(directory.path, 10)
  const first = await archives.write(Buffer.from('11111'), 'a')
  for (const name of await readdir(directory.path)) await utimes(join(directory.path, name), 1, 1)
  const second = await archives.write(Buffer.from('22222'), 'a')
  await archives.write(Buffer.from('33333'), 'a')
  assert.equal(await archives.read(first, 'a'), undefined)
  assert.equal((await archives.read(second, 'a'))?.length, 5)
  const large = await archives.write(Buffer.alloc(50), 'a')
  assert.equal((await archives.read(large, 'a'))?.length, 50)
  assert.equal((await readdir(directory.path)).length, 1)
})
