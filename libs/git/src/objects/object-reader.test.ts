import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import { startMirrorFixture } from '../mirror/mirror-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const absent = '1'.repeat(40)

test('an object is read with its type, also when it is empty or large or full of newlines', async () => {
  const large = Buffer.alloc(3_000_000, 'line\n')
  await using fixture = await startMirrorFixture({ empty: '', newline: '\n', large })
  const { objects } = fixture.mirror
  const blob = async (name: string): Promise<Buffer> => {
    const { type, bytes } = await objects.read((await objects.resolve(`main:${name}`)) ?? '', 4_000_000)
    assert.equal(type, 'blob')
    return bytes
  }
  assert.deepEqual(await blob('empty'), Buffer.alloc(0))
  assert.deepEqual(await blob('newline'), Buffer.from('\n'))
  assert.deepEqual(await blob('large'), large)
})

test('many requests at once are each answered with their own object', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, `content ${i}\n`]))
  await using fixture = await startMirrorFixture(files)
  const { objects } = fixture.mirror
  const contents = await Promise.all(
    Object.keys(files).map(async (name) => {
      const oid = await objects.resolve(`main:${name}`)
      return (await objects.read(oid ?? '', 100)).bytes.toString()
    }),
  )
  assert.deepEqual(contents, Object.values(files))
})

test('an object above the limit is not read, and one that does not exist is named', async () => {
  await using fixture = await startMirrorFixture({ big: 'x'.repeat(1000) })
  const { objects } = fixture.mirror
  const oid = (await objects.resolve('main:big')) ?? ''
  await assert.rejects(objects.read(oid, 999), ResourceExhaustedError)
  assert.equal((await objects.read(oid, 1000)).bytes.length, 1000)
  await assert.rejects(objects.read(absent, 10), NotFoundError)
  await assert.rejects(objects.size(absent), NotFoundError)
  assert.equal(await objects.resolve('main:nothing here'), undefined)
})

test('an expression cannot smuggle in a second request', async () => {
  await using fixture = await startMirrorFixture()
  await assert.rejects(fixture.mirror.objects.resolve('main\ncontents main'), InvalidInputError)
})

test('the beginning of a SHA is completed', async () => {
  await using fixture = await startMirrorFixture()
  const head = await fixture.repository.head()
  assert.equal(await fixture.mirror.objects.resolve(`${head.slice(0, 7)}^{commit}`), head)
})

test('the tree of a commit is known without git once it was asked for, a commit that is not there yet is asked for again', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const { objects, directory } = mirror
  const head = await repository.head()
  const tree = await objects.resolve(`${head}^{tree}`)
  assert.deepEqual(await Promise.all([objects.treeOf(head), objects.treeOf(head)]), [tree, tree])
  await repository.commitFiles({ file: 'next' }, 'Next commit')
  const next = await repository.head()
  assert.equal(await objects.treeOf(next), undefined)
  await fixture.update()
  assert.equal(await objects.treeOf(next), await objects.resolve(`${next}^{tree}`))
  await rm(path.join(directory, 'objects'), { recursive: true })
  assert.equal(await objects.treeOf(head), tree)
  await objects.close()
  await assert.rejects(objects.treeOf(head))
})

test('a reader whose process was killed answers all the same', async () => {
  await using fixture = await startMirrorFixture()
  const { objects, directory } = fixture.mirror
  const head = await objects.resolve('main')
  for (const pid of await catFilesIn(directory)) process.kill(pid, 'SIGKILL')
  const answers = await Promise.all([objects.resolve('main'), objects.resolve('main'), objects.resolve('x')])
  assert.deepEqual(answers, [head, head, undefined])
})

async function catFilesIn(directory: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (variables.includes(`GIT_DIR=${directory}\0`)) found.push(Number(pid))
  }
  assert.equal(found.length, 1)
  return found
}

test('an object that is damaged on disk is reported as damage', async () => {
  await using fixture = await startMirrorFixture({ file: 'x'.repeat(5000) })
  const { objects, directory } = fixture.mirror
  const oid = (await objects.resolve('main:file')) ?? ''
  const file = path.join(directory, 'objects', oid.slice(0, 2), oid.slice(2))
  await objects.close()
  await chmod(file, 0o644)
  await truncate(file, 20)
  await assert.rejects(objects.read(oid, 10_000), CorruptMirrorError)
})

test('a reader that nobody closed does not keep the process alive', async () => {
  await using fixture = await startMirrorFixture()
  const script = `
    const { ObjectReader } = await import(${JSON.stringify(import.meta.resolve('./object-reader.ts'))})
    console.log(await new ObjectReader(${JSON.stringify(fixture.mirror.directory)}).resolve('main'))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { timeout: hangLimitMs })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})
