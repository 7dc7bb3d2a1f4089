import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools, reportedParameters } from '../../run/render-fixture.ts'
import type { SourceOptions } from '../../source/source.ts'

const tools = await testTools()

const files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'chart/values.yaml': 'a: 1\nb: {c: 2, d: 3}\nsub: {x: own}\n',
  'chart/charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
  'chart/charts/sub/values.yaml': 'x: sub\n',
  'chart/templates/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "{{ .Values.a }}"}\n',
  'over/kustomization.yaml': 'namePrefix: own-\nresources: [cm.yaml]\n',
  'over/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
  'plain/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
  'package/zarf.yaml':
    'kind: ZarfPackageConfig\nmetadata: {name: p}\nvalues: {files: [values.yaml]}\ncomponents:\n  - {name: c, required: true, manifests: [{name: m, files: [cm.yaml]}]}\n',
  'package/values.yaml': 'x: 1\ny: 2\n',
  'package/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
}

async function recorded(path: string, options: SourceOptions = {}): Promise<unknown[]> {
  await using fixture = new RenderFixture(tools, files)
  const rendered = await fixture.render(testSource(path, options))
  return reportedParameters(rendered).map((row) => [row.path, row.value, row.beats.map(({ value }) => value)])
}

test('of a tool, what somebody set is recorded with the defaults that it overrides, and no default that applies', async () => {
  assert.deepEqual(await recorded('chart'), [])
  assert.deepEqual(await recorded('chart', { helm: { skipTests: true } }), [['.skipTests', true, []]])
  const parameters = [{ name: 'b.c', value: '5' }]
  assert.deepEqual(await recorded('chart', { helm: { parameters, valuesObject: { e: 6 } } }), [
    ['.b.c', 5, [2]],
    ['.e', 6, []],
  ])
  assert.deepEqual(await recorded('over', { kustomize: { nameSuffix: '-s' } }), [['.nameSuffix', '-s', []]])
  assert.deepEqual(await recorded('over'), [])
  assert.deepEqual(await recorded('plain', { directory: { recurse: true } }), [['.recurse', true, []]])
  assert.deepEqual(await recorded('plain'), [])
})

test('of a package all values are recorded', async () => {
  assert.deepEqual(await recorded('package'), [
    ['.x', 1, []],
    ['.y', 2, []],
  ])
})

test('values that Helm can read and an explanation cannot are a warning, and the render stays valid', async () => {
  await using fixture = new RenderFixture(tools, files)
  fixture.write('chart/values.yaml', 'a: 1\na: 2\n')
  const source = testSource('chart', { helm: { valuesObject: { z: 1 } } })
  const { manifests, record } = await fixture.render(source)
  assert.equal(manifests.length, 1)
  assert.deepEqual(record.parameters, [])
  assert.match(
    record.warnings.join(),
    /^what decided the values is not recorded: chart\/values\.yaml:2:1: duplicate key "a"/m,
  )
})

test('values for which a record has no room are counted', async () => {
  const valuesObject = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`k${index}`, index]))
  await using fixture = new RenderFixture(tools, files)
  const { record } = await fixture.render(testSource('chart', { helm: { valuesObject } }))
  const { parameters, parametersLeftOut } = record
  assert.ok(parameters.length > 1000 && parameters.length <= 2000)
  assert.equal(parameters.length + parametersLeftOut, 5001)
})
