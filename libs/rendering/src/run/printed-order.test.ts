import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { guardForTests } from './guard-fixture.ts'
import { RenderFixture, testSource, testTools } from './render-fixture.ts'
import type { Rendered } from './render-run.ts'

const tools = await testTools()
const object = (kind: string, name: string) => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`

/** The names of the objects in the order in which the tool printed them. */
function printedNames({ manifests, record: { printed } }: Pick<Rendered, 'manifests' | 'record'>): string[] {
  const names = manifests.map((text) => manifestIdentity(manifestFromJson(text)).name)
  return names.map((_, position) => names[printed.indexOf(position)] ?? '')
}

test('a render says in which order the tool printed the objects', async () => {
  await using fixture = new RenderFixture(tools, {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/templates/one.yaml': `${object('Service', 'a')}---\n${object('ConfigMap', 'c')}`,
    'chart/templates/two.yaml': object('Secret', 'd'),
    'chart/crds/b.yaml': object('CustomResourceDefinition', 'b'),
    'kustomized/kustomization.yaml': 'resources: [two.yaml, one.yaml]\n',
    'kustomized/one.yaml': object('ConfigMap', 'a'),
    'kustomized/two.yaml': `${object('ConfigMap', 'c')}---\n${object('Secret', 'b')}`,
    'plain/a.yaml': `${object('ConfigMap', 'c')}---\n${object('ConfigMap', 'b')}`,
    'plain/b.yaml': object('ConfigMap', 'a'),
    'sorted/all.yaml': `${object('ConfigMap', 'a')}---\n${object('ConfigMap', 'b')}`,
  })
  const helmOrder = ['b', 'd', 'c', 'a']
  assert.deepEqual(printedNames(await fixture.render(testSource('chart'))), helmOrder)
  assert.deepEqual(printedNames(await fixture.render(testSource('kustomized'))), ['a', 'c', 'b'])
  assert.deepEqual(printedNames(await fixture.render(testSource('plain'))), ['c', 'b', 'a'])
  assert.deepEqual((await fixture.render(testSource('sorted'))).record.printed, [])
  const { render, outcomes } = guardForTests(fixture)
  assert.deepEqual(printedNames(await render(testSource('chart'), true)), helmOrder)
  assert.deepEqual(outcomes, ['equal'])
})
