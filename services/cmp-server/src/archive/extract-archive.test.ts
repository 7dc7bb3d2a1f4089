import { createReadStream } from 'node:fs'
import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type ArchiveEntry, archiveOf } from './archive-fixture.ts'
import { extractArchive } from './extract-archive.ts'

const limits = { compressedBytes: 1 << 20, extractedBytes: 1 << 20, entries: 10 }

async function extracted(
  archive: Buffer,
  look: (root: string) => Promise<void>,
  options: { preserveFileMode?: boolean } = {},
): Promise<void> {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-archive-'))
  const root = path.join(directory.path, 'outer', 'files')
  const file = path.join(directory.path, 'archive')
  await writeFile(file, archive)
  await mkdir(root, { recursive: true })
  const { signal } = new AbortController()
  try {
    await extractArchive(createReadStream(file), root, limits, {
      preserveFileMode: false,
      ...options,
      signal,
    })
    await look(root)
  } finally {
    assert.deepEqual(await readdir(path.join(directory.path, 'outer')), ['files'])
    assert.deepEqual((await readdir(directory.path)).toSorted(), ['archive', 'outer'])
  }
}

async function assertRefused(entries: readonly ArchiveEntry[], message: RegExp): Promise<void> {
  const archive = await archiveOf(entries)
  await assert.rejects(
    extracted(archive, async () => undefined),
    (error) => error instanceof InvalidInputError && message.test(error.message),
  )
}

test('files, directories and links that stay inside come out as they were', async () => {
  const archive = await archiveOf([
    { name: '.', type: 'directory' },
    { name: 'app', type: 'directory' },
    { name: 'link', type: 'symlink', linkname: 'app/../app/a.sh' },
    { name: 'root', type: 'symlink', linkname: '.' },
    { name: 'dangling', type: 'symlink', linkname: 'nowhere' },
    { name: 'app/a.sh', text: 'echo', mode: 0o4755 },
    { name: './deep/er/b', text: 'b' },
  ])
  await extracted(archive, async (root) => {
    assert.deepEqual((await readdir(root)).toSorted(), ['app', 'dangling', 'deep', 'link', 'root'])
    assert.equal(await readFile(path.join(root, 'link'), 'utf8'), 'echo')
    assert.equal(await readFile(path.join(root, 'root/deep/er/b'), 'utf8'), 'b')
    assert.equal((await stat(path.join(root, 'app/a.sh'))).mode & 0o7777, 0o644)
  })
  await extracted(
    archive,
    async (root) => assert.equal((await stat(path.join(root, 'app/a.sh'))).mode & 0o7777, 0o755),
    { preserveFileMode: true },
  )
})

test("what Argo CD's archives have is accepted: long names and directories twice", async () => {
  const long = `deep/${'n'.repeat(120)}/${'ä'.repeat(60)}.yaml`
  const archive = await archiveOf([
    { name: '.', type: 'directory' },
    { name: 'deep', type: 'directory' },
    { name: 'deep', type: 'directory' },
    { name: long, text: 'a' },
    { name: 'deep/to-root', type: 'symlink', linkname: '..' },
    { name: 'deep/to-long', type: 'symlink', linkname: `../${long}` },
  ])
  await extracted(archive, async (root) => {
    assert.equal(await readFile(path.join(root, 'deep/to-root', long), 'utf8'), 'a')
    assert.equal(await readFile(path.join(root, 'deep/to-long'), 'utf8'), 'a')
  })
})

test('an entry outside of the archive is refused', async () => {
  await assertRefused([{ name: '../escaped', text: 'x' }], /illegal filepath in archive: "\.\.\/escaped"/)
  await assertRefused([{ name: 'a/../../escaped', text: 'x' }], /illegal filepath/)
  await assertRefused([{ name: '/escaped', text: 'x' }], /illegal filepath/)
})

test('hard links, devices and pipes are refused', async () => {
  await assertRefused([{ name: 'a', type: 'link', linkname: '/etc/passwd' }], /"a" is a link/)
  await assertRefused(
    [{ name: 'a', type: 'character-device', devmajor: 1, devminor: 3 }],
    /is a character-device/,
  )
  await assertRefused([{ name: 'a', type: 'block-device' }], /is a block-device/)
  await assertRefused([{ name: 'a', type: 'fifo' }], /is a fifo/)
})

test('a link that leads out is refused, alone, by a chain or in a circle', async () => {
  const link = (name: string, linkname: string): ArchiveEntry => ({ name, type: 'symlink', linkname })
  await assertRefused([link('a', '/etc/passwd')], /"a" has an absolute target/)
  await assertRefused([link('a', '../outer')], /"a" leads out of the archive/)
  await assertRefused([link('deep/er/top', '../..'), link('b', 'deep/er/top/../x')], /"b" leads out/)
  await assertRefused([link('a', 'b'), link('b', 'a')], /"a" follows too many/)
})

test('nothing is written through a link', async () => {
  const through = [{ name: 'a', type: 'symlink', linkname: 'b' } as const, { name: 'a/file', text: 'x' }]
  await assertRefused(through, /cannot be extracted: EEXIST/)
  await assertRefused(through.toReversed(), /cannot be extracted: EEXIST/)
  await assertRefused(
    [
      { name: 'a', text: '1' },
      { name: 'a', text: '2' },
    ],
    /EEXIST/,
  )
})

test('an archive above a limit or cut short is refused', async () => {
  const many = await archiveOf(Array.from({ length: 11 }, (_, index) => ({ name: `f${index}`, text: '' })))
  await assert.rejects(
    extracted(many, async () => undefined),
    new ResourceExhaustedError('the archive has more than 10 entries'),
  )
  const deep = await archiveOf([{ name: `${'d/'.repeat(11)}f`, text: '' }])
  await assert.rejects(
    extracted(deep, async () => undefined),
    new ResourceExhaustedError('the archive has more than 10 entries'),
  )
  const bomb = await archiveOf([{ name: 'zeros', text: '\0'.repeat(2 << 20) }])
  assert.ok(bomb.length < 10_000)
  await assert.rejects(
    extracted(bomb, async () => undefined),
    ResourceExhaustedError,
  )
  await assert.rejects(
    extracted(bomb.subarray(0, 100), async () => undefined),
    InvalidInputError,
  )
  await assert.rejects(
    extracted(Buffer.from('no archive'), async () => undefined),
    InvalidInputError,
  )
})
