// Own process: it leaves so much memory behind that later programs start slowly.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Header, type Pack, pack } from 'tar-stream'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { hydrateEach } from './hydrate-each-fixture.ts'

type Entry = Pick<Header, 'name'> & Partial<Header> & { content?: string | Buffer }

const chartFile = 'apiVersion: v2\nname: sub\nversion: 1.0.0\n'

async function archive(entries: readonly Entry[]): Promise<Buffer> {
  const packing = pack()
  for (const { content, ...header } of [{ name: 'sub/Chart.yaml', content: chartFile }, ...entries]) {
    packing.entry(header, content ?? '')
  }
  packing.finalize()
  return zipped(await bytesOf(packing))
}

/** The bytes of a stream of very many small parts, with which `node:stream/consumers` takes seconds. */
async function bytesOf(packing: Pack): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of packing) if (Buffer.isBuffer(part)) parts.push(part)
  return Buffer.concat(parts)
}

function zipped(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 1 })
}

/** An archive of so many entries, made in parts since `pack` takes time by the square of what waits in it. */
async function archiveOfEntries(count: number): Promise<Buffer> {
  const parts: Buffer[] = []
  const endBytes = 1024
  for (let first = 0; first < count; first += 1000) {
    const packing = pack()
    if (first === 0) packing.entry({ name: 'sub/Chart.yaml' }, chartFile)
    for (let index = first; index < Math.min(first + 1000, count); index++) {
      packing.entry({ name: `sub/${index}` }, '')
    }
    packing.finalize()
    parts.push((await bytesOf(packing)).subarray(0, -endBytes))
  }
  return zipped(Buffer.concat([...parts, Buffer.alloc(endBytes)]))
}

async function push(repository: RepositoryFixture, files: Record<string, Buffer | string>): Promise<void> {
  const { directory, git } = repository.dry
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
  await git.raw(['add', '--all'])
  await git.raw(['commit', '--quiet', '--message', 'Add charts'])
  await git.push([repository.directory, 'HEAD:main'])
}

test('hostile archives of charts are refused, and schemas in them reach no listener and no file', async () => {
  const requests: string[] = []
  const listener = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end('{"type": "string"}')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  await using _ = { [Symbol.asyncDispose]: async () => void listener.close() }
  const address = listener.address()
  assert.ok(typeof address === 'object' && address !== null)
  const schema = (reference: string) => JSON.stringify({ properties: { a: { $ref: reference } } })
  const url = `http://127.0.0.1:${address.port}/schema.json`
  const nested = await archive([{ name: 'sub/values.schema.json', content: schema(url) }])
  const attacks: Record<string, { content: Buffer; message: RegExp }> = {
    zeros: {
      content: await archive([{ name: 'sub/templates/z.yaml', content: Buffer.alloc(101 * 1024 ** 2) }]),
      message: /zeros\/charts\/sub-1\.0\.0\.tgz: unpacks to more than 100 MiB/,
    },
    entries: {
      content: await archiveOfEntries(100_001),
      message: /more than 100000 entries|unpacks to more than 100 MiB/,
    },
    parent: { content: await archive([{ name: 'sub/../../x', content: 'x' }]), message: /helm template/ },
    broken: { content: Buffer.from('no archive'), message: /sub-1\.0\.0\.tgz: cannot be unpacked/ },
    schema: { content: nested, message: /sub-1\.0\.0\.tgz!sub\/values\.schema\.json:1: \$ref "http:/ },
    nested: {
      content: await archive([{ name: 'sub/charts/sub-1.0.0.tgz', content: nested }]),
      message: /sub\/charts\/sub-1\.0\.0\.tgz!sub\/values\.schema\.json:1: \$ref "http:/,
    },
    file: {
      content: await archive([{ name: 'sub/values.schema.json', content: schema('../../../etc/passwd') }]),
      message: /values\.schema\.json:1: \$ref "\.\.\/\.\.\/\.\.\/etc\/passwd" leads out of the schema/,
    },
  }
  const plain: Record<string, { files: Record<string, string>; message: RegExp }> = {
    'own-schema': {
      files: { 'values.schema.json': schema(url) },
      message: /own-schema\/values\.schema\.json:1: \$ref "http:.*leads out of the schema/,
    },
    'subchart-schema': {
      files: {
        'charts/sub/Chart.yaml': chartFile,
        'charts/sub/values.schema.json': schema('file:///etc/passwd'),
      },
      message: /charts\/sub\/values\.schema\.json:1: \$ref "file:\/\/\/etc\/passwd" leads out/,
    },
    'other-file': {
      files: { 'values.schema.json': schema('etc/hostname') },
      message: /\$ref "etc\/hostname" leads out/,
    },
  }
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('archives', { 'good/a.yaml': configMap('good', '1') })
  const files: Record<string, Buffer | string> = {}
  for (const directory of [...Object.keys(attacks), ...Object.keys(plain), 'absolute']) {
    files[`${directory}/Chart.yaml`] = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'
    files[`${directory}/values.yaml`] = 'a: {}\nsub: {a: {}}\n'
    files[`${directory}/templates/a.yaml`] = configMap('a', '1')
  }
  for (const [directory, { content }] of Object.entries(attacks))
    files[`${directory}/charts/sub-1.0.0.tgz`] = content
  files['absolute/charts/sub-1.0.0.tgz'] = await archive([{ name: '/etc/x', content: 'x' }])
  for (const [directory, attack] of Object.entries(plain)) {
    for (const [path, text] of Object.entries(attack.files)) files[`${directory}/${path}`] = text
  }
  await push(repository, files)
  const all = { ...attacks, ...plain }
  const outcomes = await hydrateEach(fixture, repository, [...Object.keys(all), 'absolute', 'good'])
  for (const [directory, { message }] of Object.entries(all)) {
    const outcome = outcomes.get(directory)
    assert.deepEqual([outcome?.phase, outcome?.manifest], ['Failed', ''], `${directory}: ${outcome?.message}`)
    assert.match(outcome?.message ?? '', message, directory)
  }
  // Helm takes an absolute name for one within the chart.
  for (const name of ['absolute', 'good']) assert.equal(outcomes.get(name)?.phase, 'Hydrated')
  assert.deepEqual(requests, [])
})
