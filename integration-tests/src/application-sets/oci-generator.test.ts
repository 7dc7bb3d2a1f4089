import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '@bufbuild/protobuf'
import { pushArtifact, startRegistry } from '@wadi/charts/registry-fixture.ts'
import { pack } from 'tar-stream'
import { meshOfFile } from '../mesh-fixture.ts'
import { metadataOf, rejectionOf, setObject } from './set-fixture.ts'

const registry = await usedByFile(startRegistry({ users: { ci: 'right' } }))
const mesh = await meshOfFile()

async function archiveOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack()
  for (const [path, content] of Object.entries(files)) archive.entry({ name: path }, content)
  archive.finalize()
  return gzipSync(await buffer(archive))
}

async function namesOf(oci: JsonObject): Promise<string[]> {
  const applicationSet = setObject({
    generators: [{ oci }],
    application: '{{path.basename}}-{{values.size}}',
    project: 'default',
  })
  const { applications } = await mesh.fixture.gateway.applicationSets.generateApplications({ applicationSet })
  return applications.map((application) => metadataOf(application).name).toSorted()
}

test('directories and files of an artifact make Applications, by tag, range and digest', async () => {
  const { host } = registry
  const repoURL = `oci://${host}/team/envs`
  const token = await (
    await fetch(`http://${host}/token`, {
      headers: { authorization: `Basic ${Buffer.from('ci:right').toString('base64')}` },
    })
  ).json()
  const authorization = `Bearer ${(token as { token: string }).token}`
  const first = await archiveOf({ './apps/web/a.yaml': 'name: web\n', 'apps/api/a.yaml': 'name: api\n' })
  await pushArtifact(host, 'team/envs', '1.0.0', first, authorization)
  const second = await archiveOf({ 'apps/shop/a.yaml': 'name: shop\n', 'top.yaml': 'x: 1\n' })
  await pushArtifact(host, 'team/envs', '1.1.0', second, authorization)
  await pushArtifact(host, 'team/envs', 'latest', second, authorization)
  const directories = [{ path: 'apps/*' }]
  const values = { size: 's' }
  const asked = { repoURL, directories, values }
  assert.match(
    (await rejectionOf(namesOf({ ...asked, revision: '1.0.0' }))) ?? '',
    /no Secret in namespace argocd has credentials for it/,
  )
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'envs', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    stringData: { url: repoURL, type: 'oci', username: 'ci', password: 'right' },
  }
  await mesh.fixture.gateway.resources.applyResource({ resource: secret })
  assert.deepEqual(await namesOf({ ...asked, revision: '1.0.0' }), ['api-s', 'web-s'])
  assert.deepEqual(await namesOf({ ...asked, revision: 'latest' }), ['shop-s'])
  assert.deepEqual(await namesOf({ ...asked, revision: '1.x' }), ['shop-s'])
  const files = [{ path: 'apps/*/a.yaml' }]
  const named = { size: '{{name}}' }
  assert.deepEqual(await namesOf({ repoURL, files, values: named, revision: '1.0.0' }), [
    'api-api',
    'web-web',
  ])
  const answer = await fetch(`http://${host}/v2/team/envs/manifests/1.0.0`, { headers: { authorization } })
  const revision = answer.headers.get('docker-content-digest') ?? ''
  assert.deepEqual(await namesOf({ ...asked, revision }), ['api-s', 'web-s'])
})

test('what cannot be read says why', async () => {
  const repoURL = `oci://${registry.host}/team/envs`
  const directories = [{ path: '*' }]
  for (const [oci, message] of [
    [{ repoURL, directories, revision: '9.0.0' }, /the registry has no such version or chart/],
    [{ repoURL, directories, revision: '>=3' }, /has no version ">=3"; the newest are 1\.1\.0, 1\.0\.0/],
    [{ repoURL, directories }, /oci: revision is required/],
    [{ repoURL, revision: '1.0.0' }, /give directories or files/],
    [
      { repoURL: 'https://git.example.com/a.git', directories, revision: '1.0.0' },
      /oci: repoURL must begin with oci:\/\//,
    ],
    [{ repoURL: 'oci://169.254.169.254/a', directories, revision: '1.0.0' }, /local link/],
    [{ repoURL: `oci://${registry.host}/Team/envs`, directories, revision: '1' }, /write it in lower case/],
  ] as const) {
    assert.match((await rejectionOf(namesOf(oci))) ?? '', message)
  }
})
