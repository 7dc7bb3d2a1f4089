import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainSource } from '../parameters/explain/explain-source.ts'
import { inspectSource } from './inspect-source.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../run/render-fixture.ts'
import { renderSource } from '../run/render-source.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'

const tools = await testTools()

const files = new Map(
  Object.entries({
    ...supplyChainFiles,
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'replicas: 1\n',
    'web/templates/web.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {replicas: "{{ .Values.replicas }}"}\n',
    'web/.argocd-source.yaml': 'helm: {valuesObject: {replicas: 3}}\n',
    'overlay/kustomization.yaml': 'resources: [../base]\nnamePrefix: p-\n',
    'base/kustomization.yaml': 'resources: [a.yaml]\n',
    'base/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    'plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  }).map(([path, text]) => [path, Buffer.from(text)]),
)

for (const [path, renderer, name, explained] of [
  ['web', 'helm', '"replicas":"3"', '.replicas'],
  ['overlay', 'kustomize', '"name":"p-a"', '.namePrefix'],
  ['plain', 'directory', '"name":"a"', undefined],
  ['packages/web', 'package', '"name":"config"', '.app.replicas'],
  ['apps/shop/prod', 'workload', '"replicas":5', '.replicas'],
] as const) {
  test(`files that are in memory alone are inspected, rendered and explained: ${renderer}`, async () => {
    const tree = memoryTree(files)
    await using fixture = new RenderFixture(tools, {})
    const source = testSource(path)
    const inspection = await inspectSource(tree, source, testRevision, fixture.tools, strictPolicy)
    assert.equal(inspection.renderer, renderer)
    const rendered = await renderSource(tree, inspection, fixture.context(source))
    assert.match(rendered.manifests.join('\n'), new RegExp(name))
    assert.equal(rendered.fingerprint, inspection.fingerprint)
    const paths = (await explainSource(tree, inspection)).map((parameter) => parameter.path)
    assert.equal(explained === undefined || paths.includes(explained), true, paths.join())
  })
}

test('what changes in memory changes the fingerprint of what reads it alone', async () => {
  await using fixture = new RenderFixture(tools, {})
  const fingerprint = async (path: string, tree: ReturnType<typeof memoryTree>) =>
    (await inspectSource(tree, testSource(path), testRevision, fixture.tools, strictPolicy)).fingerprint
  const before = memoryTree(files)
  const after = memoryTree(new Map([...files, ['web/values.yaml', Buffer.from('replicas: 2\n')]]))
  assert.notEqual(await fingerprint('web', after), await fingerprint('web', before))
  assert.equal(await fingerprint('plain', after), await fingerprint('plain', before))
})
