import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { minimalChart, packChart } from '@wadi/charts/chart-server-fixture.ts'
import { pushChart, startRegistry } from '@wadi/charts/registry-fixture.ts'
import type { ApplicationFixture } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const registry = await usedByFile(startRegistry())
const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('hydrated', { 'README.md': 'Hydrated.\n' })

function application(name: string, repoURL: string, revision: string): ApplicationFixture {
  const branch = `environments/${name}`
  return { name, repoURL, path: '', revision, branch, destination: repository.url, source: { chart: name } }
}

async function push(name: string, version: string, values = 'replicas: 1\n'): Promise<string> {
  const archive = await packChart(name, minimalChart(name, version, { 'values.yaml': values }))
  return pushChart(registry.host, `charts/${name}`, version, archive)
}

/** Something that has a tag and is not a chart. */
async function pushImage(name: string, tag: string): Promise<void> {
  const manifest = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', layers: [] }
  await fetch(`http://${registry.host}/v2/${name}/manifests/${tag}`, {
    method: 'PUT',
    body: JSON.stringify(manifest),
    headers: { 'content-type': manifest.mediaType },
  })
}

test('a chart of a registry is hydrated by version, with and without the scheme oci://', async () => {
  for (const [name, repoURL] of [
    ['schemed', `oci://${registry.host}/charts`],
    ['bare', `${registry.host}/charts`],
  ] as const) {
    const digest = await push(name, '1.0.0+build.1')
    await mesh.fixture.applyAndWait(digest, application(name, repoURL, '1.0.0+build.1'))
    const branch = `environments/${name}`
    assert.match(await repository.read(branch, `${name}/manifest.yaml`), /^ {2}version: 1\.0\.0\+build\.1$/m)
    const record = JSON.parse(await repository.read(branch, `${name}/hydrator.metadata`)) as Record<
      string,
      unknown
    >
    assert.deepEqual(
      [record['chart'], record['version'], record['drySha'], record['date']],
      [name, '1.0.0+build.1', digest, '2026-01-02T03:04:05Z'],
    )
    assert.match(
      await repository.read(branch, `${name}/README.md`),
      new RegExp(`helm pull oci://${registry.host}/charts/${name} --version 1\\.0\\.0\\+build\\.1 --untar`),
    )
  }
})

test('a range is resolved over all pages of tags, and stays until somebody asks', async () => {
  for (const version of ['1.0.0', '1.1.0', '1.10.0-rc.1', '1.2.0']) await push('ranged', version)
  const first = await push('ranged', '1.10.0')
  await mesh.fixture.applyAndWait(first, application('ranged', `oci://${registry.host}/charts`, '1.x'))
  const second = await push('ranged', '1.11.0')
  await mesh.fixture.poll()
  assert.equal((await mesh.fixture.waitFor('ranged', () => true)).lastSuccessfulOperation?.drySHA, first)
  await mesh.fixture.hydrateTo(second, 'ranged')
})

test('tags that are no versions for Helm, such as those of images, take no part in a range', async () => {
  const digest = await push('mixed', '0.0.17')
  await push('mixed', '0.0.18-rc.1')
  await push('mixed', '0.0.16+b1')
  for (const tag of ['v0.0.19', '0.0', '1', 'latest', 'sha256-0a.sig', '0.0.019', '1.0.0.0']) {
    await pushImage('charts/mixed', tag)
  }
  const ranges = ['0.x', 'x', '*', '~0.0', '>=0.0.17, <1', '0.0.10 - 0.9']
  for (const [index, range] of ranges.entries()) {
    const wanted = application('mixed', `oci://${registry.host}/charts`, range)
    await mesh.fixture.applyAndWait(digest, {
      ...wanted,
      name: `mixed-${index}`,
      branch: `environments/mixed-${index}`,
    })
  }
})

test('a chart is named by the digest of its manifest, and what is served must have it', async () => {
  const archive = await push('pinned', '1.0.0')
  await push('pinned', '1.0.0', 'replicas: 2\n')
  const url = `http://${registry.host}/v2/charts/pinned/manifests`
  const moved = await fetch(`${url}/1.0.0`)
  const manifest = (await moved.text()).replaceAll(
    /sha256:[0-9a-f]{64}(?=","size":\d+\}\])/g,
    `sha256:${archive}`,
  )
  const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`
  const type = 'application/vnd.oci.image.manifest.v1+json'
  await fetch(`${url}/${digest}`, { method: 'PUT', body: manifest, headers: { 'content-type': type } })
  await mesh.fixture.applyAndWait(archive, application('pinned', `oci://${registry.host}/charts`, digest))
  assert.match(
    await repository.read('environments/pinned', 'pinned/README.md'),
    new RegExp(`helm pull oci://${registry.host}/charts/pinned@${digest} --untar`),
  )
  const other = `sha256:${'0'.repeat(64)}`
  await fetch(`${url}/${other}`, { method: 'PUT', body: manifest, headers: { 'content-type': type } })
  const wanted = {
    ...application('pinned', `oci://${registry.host}/charts`, other),
    name: 'forged',
    branch: 'environments/forged',
  }
  assert.match(await mesh.fixture.applyAndFail(wanted), new RegExp(`not the one of its digest ${other}`))
})

test('a tag that was moved to another archive is an error that names both', async () => {
  const first = await push('moved', '1.0.0')
  await mesh.fixture.applyAndWait(first, application('moved', `oci://${registry.host}/charts`, '1.0.0'))
  const second = await push('moved', '1.0.0', 'replicas: 66\n')
  await mesh.fixture.gateway.applications.hydrateApplication({ name: 'moved' })
  const message = await mesh.fixture.waitForFailure('moved')
  assert.match(message, new RegExp(`it was sha256:${first} and is sha256:${second}`))
})

test('what a registry does not have, or is not a chart, is an error that says so', async () => {
  const missing = await mesh.fixture.applyAndFail(
    application('missing', `oci://${registry.host}/charts`, '1.0.0'),
  )
  assert.match(missing, /charts\/missing: the registry has no such version or chart/)
  await pushImage('charts/image', '1.0.0')
  const image = await mesh.fixture.applyAndFail(
    application('image', `oci://${registry.host}/charts`, '1.0.0'),
  )
  assert.match(image, /is not a Helm chart: its manifest has no layer/)
})

test('a token is asked for with the stored password, which the registry itself never sees', async () => {
  const password = 'pass:word'
  await using locked = await startRegistry({ users: { ci: password } })
  const basic = `Basic ${Buffer.from(`ci:${password}`).toString('base64')}`
  const asked = await fetch(`http://${locked.host}/token?scope=repository:charts/locked:pull`, {
    headers: { authorization: basic },
  })
  const { token } = (await asked.json()) as { token: string }
  const archive = await packChart('locked', minimalChart('locked', '1.0.0'))
  const digest = await pushChart(locked.host, 'charts/locked', '1.0.0', archive, `Bearer ${token}`)
  const wanted = application('locked', `${locked.host}/charts`, '1.0.0')
  assert.match(await mesh.fixture.applyAndFail(wanted), /asks for other credentials/)
  await mesh.fixture.gateway.resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'registry',
        namespace: 'argocd',
        labels: { 'argocd.argoproj.io/secret-type': 'repository' },
      },
      stringData: { type: 'helm', enableOCI: 'true', url: `${locked.host}/charts`, username: 'ci', password },
    },
  })
  locked.requests.length = 0
  await mesh.fixture.poll()
  await mesh.fixture.waitFor('locked', isHydratedAt(digest))
  const basics = locked.requests.filter((request) => request.endsWith('Basic'))
  assert.ok(basics.length > 0 && basics.every((request) => request.startsWith('GET /token?')))
})
