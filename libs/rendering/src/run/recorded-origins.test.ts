import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { ObjectOrigins } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { guardForTests } from './guard-fixture.ts'
import { RenderFixture, testSource, testTools } from './render-fixture.ts'

const tools = await testTools()
const object = (kind: string, name: string, more = '') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`

/** Returns owners, template and file of each object, by its name. */
function shown(manifests: readonly string[], origins: ObjectOrigins | undefined): Record<string, string> {
  return Object.fromEntries(
    manifests.map((text, index) => {
      const origin = origins?.origins[(origins.originOf[index] ?? 0) - 1]
      const { owners = [], template = '', file = '' } = origin ?? {}
      return [manifestIdentity(manifestFromJson(text)).name, `${[...owners, template].join(' > ')} (${file})`]
    }),
  )
}

test('a render says from which template or file each object comes', async () => {
  await using fixture = new RenderFixture(tools, {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/crds/crd.yaml': object('CustomResourceDefinition', 'crd'),
    'chart/templates/two.yaml': `${object('Service', 'a')}---\n${object('ConfigMap', 'b')}`,
    'chart/charts/redis/Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0\n',
    'chart/charts/redis/templates/set.yaml': object('Secret', 'c'),
    'plain/deep/a.yaml': object('ConfigMap', 'd'),
  })
  const inChart = {
    a: 'web > templates/two.yaml (chart/templates/two.yaml)',
    b: 'web > templates/two.yaml (chart/templates/two.yaml)',
    c: 'web > redis > templates/set.yaml (chart/charts/redis/templates/set.yaml)',
    crd: 'web > crds/crd.yaml (chart/crds/crd.yaml)',
  }
  const chart = await fixture.render(testSource('chart'))
  assert.deepEqual(shown(chart.manifests, chart.record.origins), inChart)
  const { render } = guardForTests(fixture)
  const fast = await render(testSource('chart'), true)
  assert.deepEqual(shown(fast.manifests, fast.record.origins), inChart)
  const plain = await fixture.render(testSource('plain', { directory: { recurse: true } }))
  assert.deepEqual(shown(plain.manifests, plain.record.origins), {
    d: 'plain/deep/a.yaml (plain/deep/a.yaml)',
  })
})

test('a comment of a template names no file outside the chart', async () => {
  await using fixture = new RenderFixture(tools, {
    'plain/a.yaml': `# Source: ../../etc/passwd\n${object('ConfigMap', 'a')}`,
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/templates/a.yaml': `---\n# Source: web/../../x.yaml\n${object('ConfigMap', 'b')}`,
  })
  const plain = await fixture.render(testSource('plain'))
  assert.deepEqual(shown(plain.manifests, plain.record.origins), { a: 'plain/a.yaml (plain/a.yaml)' })
  const chart = await fixture.render(testSource('chart'))
  assert.deepEqual(shown(chart.manifests, chart.record.origins), {
    b: 'web > templates/a.yaml (chart/templates/a.yaml)',
  })
})

test('the values that a template reads are found, through templates that it includes', async () => {
  await using fixture = new RenderFixture(tools, {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': 'replicas: 3\nimage: {tag: a}\nredis: {size: 2}\nglobal: {zone: x}\n',
    'chart/templates/_helpers.tpl':
      '{{ define "web.tag" }}{{ include "web.other" . }}{{ .Values.image.tag }}{{ end }}{{ define "web.other" }}{{ .Values.global.zone }}{{ end }}',
    'chart/templates/a.yaml': object('ConfigMap', 'a', 'data: {tag: "{{ include "web.tag" . }}"}\n'),
    'chart/templates/b.yaml': object('ConfigMap', 'b', 'data: {replicas: "{{ .Values.replicas }}"}\n'),
    'chart/charts/redis/Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0\n',
    'chart/charts/redis/templates/c.yaml': object(
      'ConfigMap',
      'c',
      'data: {all: "{{ .Values.size }}", zone: "{{ .Values.global.zone }}"}\n',
    ),
  })
  const source = testSource('chart')
  const { manifests, record } = await fixture.render(source)
  const { plan } = await fixture.inspect(source)
  const tree = openDirectoryTree(fixture.directory)
  const found = await plan.findOrigins?.(tree, { manifests, origins: record.origins })
  assert.deepEqual(found?.origins.map(({ template, reads }) => `${template} ${reads.join(' ')}`).toSorted(), [
    'templates/a.yaml .global.zone .image.tag',
    'templates/b.yaml .replicas',
    'templates/c.yaml .global.zone .redis.size',
  ])
})

test('objects of a kustomization come from the base or overlay that lists their file', async () => {
  await using fixture = new RenderFixture(tools, {
    'base/kustomization.yaml': 'resources: [a.yaml, two.yaml]\n',
    'base/a.yaml': object('ConfigMap', 'web'),
    'base/two.yaml': `${object('Secret', 'web')}---\n${object('ConfigMap', 'web-more')}`,
    'prod/kustomization.yaml':
      'resources: [../base, own.yaml]\nnamePrefix: prod-\npatches: [{path: patch.yaml}]\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n',
    'prod/own.yaml': object('Service', 'own'),
    'prod/patch.yaml': object('ConfigMap', 'web', 'data: {a: b}\n'),
  })
  const source = testSource('prod')
  const { manifests } = await fixture.render(source)
  const { plan } = await fixture.inspect(source)
  const tree = openDirectoryTree(fixture.directory)
  const found = shown(manifests, await plan.findOrigins?.(tree, { manifests, origins: undefined }))
  const made = Object.keys(found).find((name) => name.startsWith('prod-made-')) ?? ''
  assert.deepEqual(found, {
    'prod-web': 'prod > base > two.yaml (base/two.yaml)',
    'prod-web-more': 'prod > base > two.yaml (base/two.yaml)',
    'prod-own': 'prod > own.yaml (prod/own.yaml)',
    [made]: 'prod > kustomization.yaml (prod/kustomization.yaml)',
  })
})
