import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { DiskFullError } from '@wadi/errors/machine-shortage.ts'
import { fillDisk, mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { damageOf, sweepLeftovers } from './installed-release.ts'
import { packedName, packRelease, releaseOf, reporting } from './release-fixture.ts'
import { type DownloadOptions, ToolDownloads } from './tool-downloads.ts'

const addresses = { helm: 'https://h.example', kustomize: 'https://k.example' }
const archive = await packRelease({
  [packedName('helm')]: reporting('v4.3.1'),
  'linux-amd64/LICENSE': 'free',
})
const release = releaseOf('helm', '4.3.1', archive)

/** Downloads into a temporary directory, and what was asked for. */
async function openDownloads(changes: Partial<DownloadOptions> = {}) {
  const scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-downloads-'))
  const asked: string[] = []
  const options: DownloadOptions = {
    directory: scratch.path,
    list: { file: 'releases.txt', identity: 'one', releases: [release] },
    addresses,
    get: async (url) => {
      asked.push(url)
      return archive
    },
    ...changes,
  }
  return {
    options,
    asked,
    downloads: new ToolDownloads(options),
    scratch: scratch.path,
    left: () => readdirSync(scratch.path, { recursive: true }).map(String),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  }
}

test('a release is downloaded once, whoever asks, and what is there belongs together', async () => {
  await using opened = await openDownloads()
  const { downloads, asked, scratch } = opened
  assert.equal(await downloads.find('helm', '4.3.1'), undefined)
  const [program, same] = await Promise.all([1, 2].map(async () => downloads.obtain('helm', '4.3.1')))
  assert.equal(program, path.join(scratch, 'helm/4.3.1/helm'))
  assert.equal(same, program)
  assert.equal(readFileSync(program ?? '', 'utf8'), reporting('v4.3.1'))
  assert.equal(statSync(program ?? '').mode & 0o777, 0o755)
  assert.deepEqual(readdirSync(path.join(scratch, 'helm')), ['4.3.1'])
  assert.deepEqual(readdirSync(path.join(scratch, 'helm/4.3.1')).toSorted(), [
    'helm',
    'helm.sha256',
    'helm.tar.gz',
  ])
  assert.deepEqual(asked, [`${addresses.helm}/helm-v4.3.1-${packedName('helm').split('/')[0]}.tar.gz`])
  assert.equal(await new ToolDownloads(opened.options).obtain('helm', '4.3.1'), program)
  assert.equal(asked.length, 1)
})

test('several processes that download at once leave one whole version', async () => {
  await using opened = await openDownloads()
  const others = [1, 2, 3].map(() => new ToolDownloads(opened.options))
  const programs = await Promise.all(others.map(async (one) => one.obtain('helm', '4.3.1')))
  assert.equal(new Set(programs).size, 1)
  assert.deepEqual(readdirSync(path.join(opened.scratch, 'helm')), ['4.3.1'])
})

test('a version that is in no list is never asked for', async () => {
  await using opened = await openDownloads()
  await assert.rejects(opened.downloads.obtain('helm', '4.9.9'), {
    message: 'helm 4.9.9 is not in releases.txt',
  })
  await assert.rejects(opened.downloads.obtain('kustomize', '4.3.1'), FailedPreconditionError)
  assert.equal(await opened.downloads.find('helm', '4.9.9'), undefined)
  assert.deepEqual(opened.asked, [])
})

for (const [what, file] of Object.entries({ program: 'helm', archive: 'helm.tar.gz' })) {
  test(`a ${what} that was changed is not used by the next process, and downloaded again`, async () => {
    await using opened = await openDownloads()
    const program = await opened.downloads.obtain('helm', '4.3.1')
    writeFileSync(path.join(path.dirname(program), file), reporting('v6.6.6'))
    const next = new ToolDownloads(opened.options)
    assert.equal(await next.find('helm', '4.3.1'), undefined)
    assert.equal(await next.obtain('helm', '4.3.1'), program)
    assert.equal(readFileSync(program, 'utf8'), reporting('v4.3.1'))
    assert.equal(opened.asked.length, 2)
  })
}

test('a program whose archive is gone is not used by the next process, and downloaded again', async () => {
  await using opened = await openDownloads()
  const program = await opened.downloads.obtain('helm', '4.3.1')
  rmSync(`${program}.tar.gz`)
  const next = new ToolDownloads(opened.options)
  assert.equal(await next.find('helm', '4.3.1'), undefined)
  await next.obtain('helm', '4.3.1')
  assert.equal(await new ToolDownloads(opened.options).find('helm', '4.3.1'), program)
  assert.equal(opened.asked.length, 2)
})

test('what a process left that was killed an hour ago is removed, and nothing else', async () => {
  await using opened = await openDownloads()
  await opened.downloads.obtain('helm', '4.3.1')
  const parent = path.join(opened.scratch, 'helm')
  const names = ['.adding-old', '.removed-old', '.adding-new', 'mine']
  for (const name of names) {
    mkdirSync(path.join(parent, name))
    writeFileSync(path.join(parent, name, 'helm'), '')
    if (name !== '.adding-new') utimesSync(path.join(parent, name), 0, 0)
  }
  await sweepLeftovers(opened.scratch)
  assert.deepEqual(readdirSync(parent).toSorted(), ['.adding-new', '4.3.1', 'mine'])
})

test('a program that is replaced while the process runs is looked at again', async () => {
  await using opened = await openDownloads()
  const program = await opened.downloads.obtain('helm', '4.3.1')
  writeFileSync(program, reporting('v6.6.6'))
  assert.equal(await opened.downloads.find('helm', '4.3.1'), undefined)
})

const whole = gunzipSync(archive)
/** Changes the size that the header of the first entry says, with the right checksum. */
function withSize(size: number): Buffer {
  const tar = Buffer.from(whole)
  tar.write(`${size.toString(8).padStart(11, '0')} `, 124, 'latin1')
  tar.write('        ', 148, 'latin1')
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return gzipSync(tar)
}

const broken: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  'ends early': [archive.subarray(0, archive.length - 20), /cannot be unpacked: unexpected end of file/],
  'is no archive': [Buffer.from('<html>sign in</html>'), /cannot be unpacked: incorrect header check/],
  'ends within an entry': [gzipSync(whole.subarray(0, 520)), /cannot be unpacked: Unexpected end of data/],
  'says that an entry is larger than it is': [
    withSize(10_000_000),
    /cannot be unpacked: Unexpected end of data/,
  ],
  'says that an entry is smaller than it is': [withSize(0), /cannot be unpacked: Invalid tar header/],
  'has no program': [
    await packRelease({ 'linux-amd64/README.md': 'helm' }),
    /the archive has no program helm/,
  ],
  'has a program above its root': [
    await packRelease({ '../helm': 'x', '/helm': 'y' }),
    /has no program helm/,
  ],
  'has a link for a program': [
    await packRelease({ 'linux-amd64/helm': { type: 'symlink', linkname: '../../../../bin/sh' } }),
    /linux-amd64\/helm of the archive is a symlink in the place of a program/,
  ],
  'has a hard link for a program': [
    await packRelease({ helm: { type: 'link', linkname: '/bin/sh' } }),
    /helm of the archive is a link in the place of a program/,
  ],
  'has two programs': [await packRelease({ helm: 'one', 'linux-amd64/helm': 'two' }), /has helm twice/],
  'unpacks to too much': [
    gzipSync(Buffer.concat([whole.subarray(0, whole.length - 1024), Buffer.alloc(513 * 1024 ** 2)]), {
      level: 1,
    }),
    /unpacks to more than 512 MiB|cannot be unpacked/,
  ],
}

for (const [what, [bytes, message]] of Object.entries(broken)) {
  test(`an archive that ${what} is not used, although its digest is listed`, async () => {
    const listed = releaseOf('helm', '4.3.1', bytes)
    await using opened = await openDownloads({
      list: { file: 'releases.txt', identity: 'one', releases: [listed] },
      get: async () => bytes,
    })
    await assert.rejects(opened.downloads.obtain('helm', '4.3.1'), (error) => {
      assert.match(String(error), message)
      assert.match(String(error), /helm 4\.3\.1 of https:\/\/h\.example\/helm-v4\.3\.1-/)
      return true
    })
    assert.deepEqual(opened.left(), ['helm'])
  })
}

test('an archive with another digest than the list says is not even unpacked', async () => {
  const other = await packRelease({ helm: reporting('v4.3.1') })
  await using opened = await openDownloads({ get: async () => other })
  await assert.rejects(opened.downloads.obtain('helm', '4.3.1'), {
    name: 'FailedPreconditionError',
    message: /the archive has the digest sha256:\w{64}, and releases\.txt says sha256:\w{64}; nothing/,
  })
  assert.deepEqual(opened.left(), [])
})

test('who asks again for what cannot be had gets the same error for a while, but for somebody who adds it', async () => {
  let count = 0
  const get = async (): Promise<Buffer> => {
    count += 1
    if (count === 1) throw new UnavailableError('it answers 503')
    return archive
  }
  await using opened = await openDownloads({ get, restMs: 3_600_000 })
  for (let tries = 0; tries < 3; tries += 1)
    await assert.rejects(opened.downloads.obtain('helm', '4.3.1'), /it answers 503/)
  assert.equal(count, 1)
  await opened.downloads.obtain('helm', '4.3.1', { isAsked: true })
  assert.ok(await opened.downloads.obtain('helm', '4.3.1'))
  assert.equal(count, 2)
})

test('a program that is refused is not there for others', async () => {
  const check = async (): Promise<void> => {
    throw new FailedPreconditionError('it is helm v4.3.0 and not 4.3.1')
  }
  await using opened = await openDownloads({ check })
  await assert.rejects(opened.downloads.obtain('helm', '4.3.1'), /it is helm v4\.3\.0 and not 4\.3\.1/)
  assert.deepEqual(opened.left(), ['helm'])
})

test('a full disk leaves nothing, says so and is tried again', { skip: noSmallDisk }, async () => {
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-downloads-'))).path
  const directory = path.join(scratch, 'disk')
  await mountSmallDisk(owned, directory)
  const big = await packRelease({ helm: Buffer.alloc(1024 * 1024, 'x') })
  await using opened = await openDownloads({
    directory,
    list: { file: 'releases.txt', identity: 'one', releases: [releaseOf('helm', '4.3.1', big)] },
    get: async () => big,
  })
  {
    await using _ = await fillDisk(directory)
    await assert.rejects(opened.downloads.obtain('helm', '4.3.1'), DiskFullError)
  }
  assert.deepEqual(readdirSync(directory, { recursive: true }), ['helm'])
  await opened.downloads.obtain('helm', '4.3.1')
  assert.equal(await damageOf({ directory, tool: 'helm', version: '4.3.1' }), undefined)
})
