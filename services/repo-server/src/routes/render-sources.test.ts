import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RenderSourcesResponse } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { serveRepository } from './served-repository-fixture.ts'

const served = await serveRepository('hydrator')
after(() => served[Symbol.asyncDispose]())
const { client, repoUrl } = served

const line = `${'x'.repeat(99)}\n`
const names = ['a', 'b', 'c']
const sha = await served.commit({
  'p/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: p}
values: {files: [values.yaml]}
components:
  - name: c
    required: true
    manifests: [{name: m, namespace: ns, files: [m.yaml]}]
    files: [${names.map((name) => `{source: big.txt, target: ${name}, template: true}`).join(', ')}]
`,
  'p/values.yaml': Array.from({ length: 2005 }, (_, index) => `k${index}: ${index}\n`).join(''),
  'p/m.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n',
  'p/big.txt': line.repeat(3_000),
})

async function render(): Promise<RenderSourcesResponse[]> {
  const messages: RenderSourcesResponse[] = []
  const request = { repoUrl, sha, verification: {}, sources: [{ path: 'p', applicationName: 'p' }] }
  for await (const message of client.renderSources(request)) messages.push(message)
  return messages
}

test('files come in portions, whole, and the same from the cache', async () => {
  for (const messages of [await render(), await render()]) {
    assert.equal(messages.at(-1)?.error, '')
    assert.deepEqual(
      messages.map(({ manifests, files, done }) => [manifests.length, files.map(({ path }) => path), done]),
      [
        [1, ['a'], false],
        [0, ['b'], false],
        [0, ['c'], true],
      ],
    )
    for (const { content } of messages.flatMap(({ files }) => files)) {
      assert.equal(content, line.repeat(3_000))
    }
  }
})

test('parameters are reported up to their bound, and how many follow', async () => {
  const messages = await render()
  const last = messages.at(-1)
  const { parameters = [], parametersLeftOut = 0 } = last?.record ?? {}
  assert.equal(parameters.length + parametersLeftOut, 2005)
  assert.ok(parametersLeftOut >= 5 && parameters.length > 1000, `${parametersLeftOut} are left out`)
  assert.deepEqual([parameters[0]?.path, parameters.at(-1)?.path], ['.k0', `.k${parameters.length - 1}`])
  assert.deepEqual(
    messages.slice(0, -1).filter(({ record }) => record !== undefined),
    [],
  )
})

test('files in the place of those of the commit are rendered, and nothing of it is kept', async () => {
  const request = { repoUrl, sha, verification: {}, sources: [{ path: 'p', applicationName: 'p' }] }
  const namesOf = async (edits: { path: string; after: string }[]): Promise<string[]> => {
    const found: string[] = []
    for await (const { manifests, error, fingerprint } of client.renderSources({ ...request, edits })) {
      assert.equal(error, '')
      if (edits.length > 0) assert.equal(fingerprint, '')
      const objects = manifests.map((text) => JSON.parse(text) as { metadata: { name: string } })
      found.push(...objects.map(({ metadata }) => metadata.name))
    }
    return found
  }
  const edited = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: edited}\n'
  assert.deepEqual(await namesOf([{ path: 'p/m.yaml', after: edited }]), ['edited'])
  assert.deepEqual(await namesOf([]), ['m'])
})

test('too many edits and a path out of the repository are refused', async () => {
  const renderWith = async (edits: { path: string; after: string }[]) => {
    const request = { repoUrl, sha, verification: {}, sources: [{ path: 'p' }], edits }
    for await (const message of client.renderSources(request)) assert.ok(message)
  }
  await assert.rejects(renderWith([{ path: '../x', after: '' }]), /\.\.\/x/)
  const many = Array.from({ length: 101 }, (_, index) => ({ path: `${index}`, after: '' }))
  await assert.rejects(renderWith(many), /101 edits are more than 100/)
})
