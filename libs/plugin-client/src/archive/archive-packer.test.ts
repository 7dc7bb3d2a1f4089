import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createGunzip } from 'node:zlib'
import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import { extract } from 'tar-stream'
import { writeTestTree } from '../tree-fixture.ts'
import { type Archive, ArchivePacker } from './archive-packer.ts'

const mebibyte = 1024 ** 2

function newPacker(bounds: Partial<ConstructorParameters<typeof ArchivePacker>[0]> = {}) {
  const counts = { archivesBuilt: 0, bytesPacked: 0 }
  const defaults = { archiveEntries: 1000, archiveBytes: 64 * mebibyte, cacheBytes: 64 * mebibyte }
  return { packer: new ArchivePacker({ ...defaults, ...bounds }, counts), counts }
}

async function entriesOf(archive: Archive): Promise<string[]> {
  const entries = extract()
  Readable.from(archive.parts).pipe(createGunzip()).pipe(entries)
  const found = []
  for await (const entry of entries) {
    const { name, type, mode, linkname } = entry.header
    const content = type === 'file' ? JSON.stringify(await text(entry as AsyncIterable<Buffer>)) : linkname
    if (type !== 'file') entry.resume()
    found.push([type, mode.toString(8), name, content].filter((part) => part !== null).join(' '))
  }
  return found
}

test('an archive reads as one, in tar and in tar-stream, with everything where it was', async () => {
  await using files = await writeTestTree({
    'b.yaml': 'b',
    'apps/one/a.yaml': 'a: 1',
    'apps/one/run.sh': { program: 'echo' },
    'apps/one/values.yaml': { link: '../../b.yaml' },
    'apps/two/empty': '',
    'a.yaml': 'a',
  })
  const { packer } = newPacker()
  const archive = await packer.archive(files.open(), [''])
  assert.deepEqual(await entriesOf(archive), [
    'directory 755 .',
    'file 644 a.yaml "a"',
    'file 644 b.yaml "b"',
    'directory 755 apps',
    'directory 755 apps/one',
    'file 644 apps/one/a.yaml "a: 1"',
    'file 755 apps/one/run.sh "echo"',
    'symlink 644 apps/one/values.yaml ../../b.yaml',
    'directory 755 apps/two',
    'file 644 apps/two/empty ""',
  ])
  const bytes = Buffer.concat(archive.parts)
  assert.equal(archive.size, bytes.length)
  assert.equal(archive.checksum, createHash('sha256').update(bytes).digest('hex'))
  const listed = execFileSync('tar', ['tzf', '-'], { input: bytes, encoding: 'utf8' })
  assert.equal(listed.trimEnd().split('\n').length, 10)
})

test('the same files give the same bytes when another packer packs them', async () => {
  await using files = await writeTestTree({ 'a/x': randomBytes(3 * mebibyte), 'a/y': 'y', b: 'b' })
  const checksums = []
  for (const _ of [1, 2]) checksums.push((await newPacker().packer.archive(files.open(), [''])).checksum)
  assert.equal(checksums[0], checksums[1])
})

test('files of any size come out as they went in', async () => {
  const sizes = [0, 1, 511, 512, 513, 256 * 1024, mebibyte, mebibyte + 1, 5 * mebibyte]
  const contents = new Map(sizes.map((size) => [`f${size}`, randomBytes(size)]))
  await using files = await writeTestTree(Object.fromEntries(contents))
  const archive = await newPacker().packer.archive(files.open(), [''])
  const entries = extract()
  Readable.from(archive.parts).pipe(createGunzip()).pipe(entries)
  for await (const entry of entries) {
    if (entry.header.type === 'directory') {
      entry.resume()
      continue
    }
    const content = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>))
    assert.equal(contents.get(entry.header.name)?.equals(content), true, entry.header.name)
    contents.delete(entry.header.name)
  }
  assert.equal(contents.size, 0)
})

test('narrow inputs bring themselves and the directories above them, and nothing is packed again', async () => {
  await using files = await writeTestTree({
    'top.yaml': 'top',
    'apps/one/a.yaml': '1',
    'apps/one/b.yaml': '2',
    'apps/two/a.yaml': '3',
    'base/deep/x.yaml': '4',
  })
  const { packer, counts } = newPacker()
  const tree = files.open()
  await packer.archive(tree, [''])
  const before = counts.bytesPacked
  const narrow = await packer.archive(tree, ['apps/one', 'base/deep', 'missing/way', 'top.yaml'])
  assert.deepEqual(await entriesOf(narrow), [
    'directory 755 .',
    'file 644 top.yaml "top"',
    'directory 755 apps',
    'directory 755 apps/one',
    'file 644 apps/one/a.yaml "1"',
    'file 644 apps/one/b.yaml "2"',
    'directory 755 base',
    'directory 755 base/deep',
    'file 644 base/deep/x.yaml "4"',
  ])
  assert.equal(counts.bytesPacked, before)
  const single = await packer.archive(tree, ['apps/one/b.yaml'])
  assert.deepEqual(await entriesOf(single), [
    'directory 755 .',
    'directory 755 apps',
    'directory 755 apps/one',
    'file 644 apps/one/b.yaml "2"',
  ])
})

test('only the inputs and the directories above them are read', async () => {
  await using files = await writeTestTree({ 'apps/one/a.yaml': '1', 'other/b.yaml': '2' })
  const looked = new Set<string>()
  const tree = files.open()
  const watched: FileTree = {
    entry: (path) => (looked.add(path), tree.entry(path)),
    list: (path) => (looked.add(path), tree.list(path)),
    read: (path, maxBytes) => (looked.add(path), tree.read(path, maxBytes)),
  }
  await newPacker().packer.archive(watched, ['apps/one'])
  assert.deepEqual([...looked].toSorted(), ['apps', 'apps/one', 'apps/one/a.yaml'])
})

test('a later commit packs only the directories that changed', async () => {
  const contents = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`apps/a${index}/values.yaml`, `index: ${index}`]),
  )
  await using files = await writeTestTree({ ...contents, 'README.md': 'x'.repeat(5000) })
  const { packer, counts } = newPacker()
  const first = await packer.archive(files.open(), [''])
  assert.equal(await packer.archive(files.open(), ['']), first)
  assert.deepEqual(counts.archivesBuilt, 1)
  const before = counts.bytesPacked

  await files.write({ 'apps/a7/values.yaml': 'index: changed' })
  const second = await packer.archive(files.open(), [''])
  assert.notEqual(second.checksum, first.checksum)
  assert.equal(counts.archivesBuilt, 2)
  assert.equal(counts.bytesPacked - before, 3 * 512, 'the directory, the header of the file and its content')
  assert.ok((await entriesOf(second)).includes('file 644 apps/a7/values.yaml "index: changed"'))
})

test('callers that want the same at once share one archive', async () => {
  await using files = await writeTestTree({ 'a/x': 'x', b: 'b' })
  const { packer, counts } = newPacker()
  const tree = files.open()
  const archives = await Promise.all(Array.from({ length: 20 }, () => packer.archive(tree, [''])))
  assert.equal(new Set(archives).size, 1)
  assert.equal(counts.archivesBuilt, 1)
})

test('an archive that weighs more than the cache may hold stays until the next one comes', async () => {
  await using files = await writeTestTree({ 'a/x': randomBytes(5000), 'b/x': randomBytes(5000) })
  const { packer, counts } = newPacker({ cacheBytes: 1000 })
  const tree = files.open()
  const built = []
  for (const inputs of [['a'], ['a'], ['b'], ['a']]) {
    assert.ok((await packer.archive(tree, inputs)).size > 5000)
    built.push(counts.archivesBuilt)
  }
  assert.deepEqual(built, [1, 1, 2, 3])
})

test('little memory costs time and not the archive', async () => {
  await using files = await writeTestTree({ 'a/x': randomBytes(5000), 'b/y': randomBytes(5000), c: 'c' })
  const { packer, counts } = newPacker({ cacheBytes: 1000 })
  const whole = await packer.archive(files.open(), [''])
  assert.equal(await packer.archive(files.open(), ['']), whole, 'the newest archive stays')
  await packer.archive(files.open(), ['a'])
  const again = await packer.archive(files.open(), [''])
  assert.equal(again.checksum, whole.checksum)
  assert.equal(counts.archivesBuilt, 3)
})

test('links that lead out are left out, and so are those to the root for a receiver that refuses them', async () => {
  await using files = await writeTestTree({
    'a/b': 'b',
    'a/out': { link: '../../etc' },
    'a/far': { link: '/etc/passwd' },
    'a/through': { link: 'far' },
    'a/fine': { link: 'b' },
    top: { link: 'a/..' },
  })
  const { packer } = newPacker()
  const whole = await packer.archive(files.open(), [''])
  const kept = ['directory 755 .', 'directory 755 a', 'file 644 a/b "b"', 'symlink 644 a/fine b']
  const names = (entries: readonly string[]) => entries.toSorted()
  assert.deepEqual(names(await entriesOf(whole)), names([...kept, 'symlink 644 top a/..']))
  assert.deepEqual([...whole.leftOut.keys()].toSorted(), ['a/far', 'a/out', 'a/through'])
  const foreign = await packer.archive(files.open(), [''], { takesRootLinks: false })
  assert.deepEqual(names(await entriesOf(foreign)), names(kept))
  assert.equal((await packer.archive(files.open(), [''])).checksum, whole.checksum)
})

test('what is empty or too large is refused with what to do', async () => {
  await using files = await writeTestTree({
    'links/only': { link: 'x' },
    'many/a': '',
    'many/b': '',
    'many/c': '',
    'large/zeros': Buffer.alloc(2 * mebibyte),
    'halves/a/zeros': Buffer.alloc(600 * 1024),
    'halves/b/zeros': Buffer.alloc(600 * 1024),
  })
  const { packer } = newPacker({ archiveBytes: mebibyte, archiveEntries: 6 })
  const rejection = (input: string) => packer.archive(files.open(), [input])
  await assert.rejects(rejection('links'), { name: 'InvalidInputError', message: 'no files to send (links)' })
  await assert.rejects(rejection('nowhere'), { message: 'no files to send (nowhere)' })
  await assert.rejects(rejection(''), {
    name: 'ResourceExhaustedError',
    message: /more than 6 files.*annotation/,
  })
  const tooLarge = (path: string) => ({
    name: 'ResourceExhaustedError',
    message: new RegExp(`more than 1048576 bytes of files, up to "${path}`),
  })
  await assert.rejects(rejection('large'), tooLarge('large/zeros'))
  await assert.rejects(rejection('halves'), tooLarge('halves/'))
  assert.equal((await entriesOf(await rejection('many'))).length, 5)
})

test('names that git would not check out are refused, and submodules are empty directories', async () => {
  const treeOf = (name: string, kind: FileEntry['kind']): FileTree => ({
    entry: async () => ({ name: '', kind: 'directory', id: name }),
    list: async () => [
      { name, kind, id: '1' },
      { name: 'file', kind: 'file', id: '2' },
    ],
    read: async () => Buffer.from('x'),
  })
  const pack = (name: string, kind: FileEntry['kind'] = 'file') =>
    newPacker().packer.archive(treeOf(name, kind), [''])
  for (const name of ['..', '.', '', 'a/b', '../x', '.git', '.GIT', 'a\0b']) {
    await assert.rejects(
      pack(name),
      { name: 'InvalidInputError', message: /cannot be given to a plugin/ },
      name,
    )
  }
  assert.deepEqual(await entriesOf(await pack('module', 'submodule')), [
    'directory 755 .',
    'file 644 file "x"',
    'directory 755 module',
  ])
})

test('what patterns of whole paths name is left out, with everything below', async () => {
  await using files = await writeTestTree({
    'README.md': 'r',
    'apps/one/a.yaml': '1',
    'apps/one/README.md': '2',
    'apps/one/docs/deep/x.yaml': '3',
    'media/film.mp4': '4',
    'media/deep/film.mp4': '5',
  })
  const { packer } = newPacker()
  const namesOf = async (leftOut: readonly string[], inputs: readonly string[] = ['']): Promise<string[]> =>
    (await entriesOf(await packer.archive(files.open(), inputs, { leftOut })))
      .filter((entry) => !entry.startsWith('directory'))
      .map((entry) => entry.split(' ')[2] ?? '')
  const all = await namesOf([])
  assert.equal(all.length, 6)
  assert.deepEqual(await namesOf(['*.md']), all.slice(1))
  assert.deepEqual(await namesOf(['media', 'apps/*/docs', '*.md']), ['apps/one/README.md', 'apps/one/a.yaml'])
  assert.deepEqual(await namesOf(['media/*']), all.slice(0, 4))
  assert.deepEqual(await namesOf(['media/*.mp?']), [...all.slice(0, 4), 'media/deep/film.mp4'])
  assert.deepEqual(await namesOf(['apps/[^t]*/docs'], ['apps/one']), [
    'apps/one/README.md',
    'apps/one/a.yaml',
  ])
  assert.deepEqual(await namesOf([]), all)
  await assert.rejects(packer.archive(files.open(), ['apps/one'], { leftOut: ['apps'] }), /no files to send/)
})
