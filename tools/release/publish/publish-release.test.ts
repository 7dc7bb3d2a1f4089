import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { npmRegistryMissing } from '@wadi/testing/npm-registry/npm-registry-program.ts'
import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { startRegistries } from './registries-fixture.ts'
import { writeRelease } from './release-fixture.ts'

const run = promisify(execFile)
const skip = goProgramMissing(registryProgram) ?? npmRegistryMissing() ?? false

test('npm, helm and clients of images get what was published', { skip }, async () => {
  await using registries = await startRegistries()
  const { npm, oci, scratch, directory, publish, npmCommand } = registries
  await writeRelease(directory, '0.2.0')

  const said = await publish('0.2.0')

  const titles = [
    `npm package wadi-renderers 0.2.0 in http://${npm.host}/`,
    `image ${oci.host}/team/wadi:0.2.0`,
    `chart ${oci.host}/team/charts/wadi:0.2.0`,
    `npm package wadi 0.2.0 in http://${npm.host}/`,
  ]
  assert.deepEqual(said, [
    ...titles.slice(1, 3).map((title) => `uploaded: ${title}`),
    ...titles.map((title) => `published: ${title}`),
  ])
  assert.equal(await npmCommand('exec', '--yes', 'wadi'), 'released 0.2.0')
  const { command } = (await findTools({ cacheDirectory: toolCache })).helm
  const [program = '', ...first] = command
  const login = ['--plain-http', '--username', registries.user, '--password', registries.password]
  const options = { cwd: scratch, env: { HOME: scratch, PATH: '' } }
  await run(program, [...first, 'pull', `oci://${oci.host}/team/charts/wadi`, ...login], options)
  assert.deepEqual(
    await readFile(path.join(scratch, 'wadi-0.2.0.tgz')),
    await readFile(path.join(directory, 'wadi-chart-0.2.0.tgz')),
  )
  assert.deepEqual(await registries.pull('0.2.0'), {
    amd64: 'released for amd64',
    arm64: 'released for arm64',
  })

  assert.deepEqual(
    await publish('0.2.0'),
    titles.map((title) => `published before: ${title}`),
  )
})

test(
  'nothing is found of a release whose upload failed, and the same command continues it',
  { skip },
  async () => {
    await using registries = await startRegistries()
    const { oci, npm, directory, publish, found } = registries
    await writeRelease(directory, '0.2.0')
    let blobs = 0
    oci.cuts = (asked) => asked.startsWith('PUT /v2/team/wadi/blobs/') && ++blobs === 3

    await assert.rejects(publish('0.2.0'), /team\/wadi: .* does not answer: .*\nthe same command continues/)
    assert.deepEqual(await found('0.2.0'), [])

    // What was announced has all that it needs, whatever failed after it.
    oci.cuts = (asked) => asked === 'PUT /v2/team/charts/wadi/manifests/0.2.0'
    oci.requests.length = 0
    await assert.rejects(publish('0.2.0'), /charts\/wadi: .* does not answer/)
    assert.equal(oci.requests.filter((asked) => /^PUT .*\/wadi\/blobs/.test(asked)).length, 2 + 2)
    assert.deepEqual(await found('0.2.0'), ['wadi:0.2.0', 'wadi-renderers/0.2.0'])

    oci.cuts = () => false
    npm.losesAnswer = (asked) => asked === 'PUT /wadi'
    await assert.rejects(publish('0.2.0'), /npm publish: /)
    npm.losesAnswer = () => false
    const all = ['wadi:0.2.0', 'charts/wadi:0.2.0', 'wadi-renderers/0.2.0', 'wadi/0.2.0']
    assert.deepEqual(await found('0.2.0'), all)
    assert.ok((await publish('0.2.0')).every((line) => line.startsWith('published before: ')))
  },
)

test('a version that is there with other bytes and a damaged file publish nothing', { skip }, async () => {
  await using registries = await startRegistries()
  const { directory, publish, npmCommand, pull, found } = registries
  await writeRelease(directory, '0.2.0')
  await publish('0.2.0')

  await writeRelease(directory, '0.2.0', 'changed')
  await assert.rejects(
    publish('0.2.0'),
    /package wadi-renderers 0\.2\.0 in .* has other bytes \(sha512-.*\n(?:.*\n)*image .* has other bytes \(sha256:(?:.*\n)*nothing was published/,
  )
  assert.equal(await npmCommand('exec', '--yes', 'wadi'), 'released 0.2.0')
  assert.equal((await pull('0.2.0'))['amd64'], 'released for amd64')

  await writeRelease(directory, '0.3.0')
  await writeFile(path.join(directory, 'wadi-0.3.0.tgz'), 'damaged')
  await assert.rejects(publish('0.3.0'), /wadi-0\.3\.0\.tgz is not what SHA256SUMS says/)
  assert.deepEqual(await found('0.3.0'), [])
})

test('a correction of an older version does not become the latest one', { skip }, async () => {
  await using registries = await startRegistries()
  const { directory, publish, npmCommand } = registries
  for (const version of ['0.3.0', '0.2.1']) {
    await writeRelease(directory, version)
    await publish(version)
  }
  assert.deepEqual(JSON.parse(await npmCommand('view', 'wadi', 'dist-tags', '--json')), {
    latest: '0.3.0',
    'release-0.2': '0.2.1',
  })
})
