import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainSource } from '../../../parameters/explain/explain-source.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'

const template = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {global: {{ toJson .Values.global | quote }}}\n`

/** Returns the explained global values of a chart in a chart in a chart, and those that Helm gives the innermost templates. */
async function globals(top: string, options: { values?: string } = {}): Promise<[string[], unknown]> {
  await using fixture = new RenderFixture(await testTools(), {
    'top/Chart.yaml': 'apiVersion: v2\nname: top\nversion: 1.0.0\n',
    'top/values.yaml': top,
    'top/charts/mid/Chart.yaml': 'apiVersion: v2\nname: mid\nversion: 1.0.0\n',
    'top/charts/mid/charts/low/Chart.yaml': 'apiVersion: v2\nname: low\nversion: 1.0.0\n',
    'top/charts/mid/charts/low/values.yaml': 'global: {x: low, z: 2, m: {a: 1, b: 2}}\n',
    'top/charts/mid/charts/low/templates/a.yaml': template('low'),
  })
  const source = testSource('top', { helm: options })
  const explained = await explainSource(openDirectoryTree(fixture.directory), await fixture.inspect(source))
  const { manifests } = await fixture.render(source)
  const { data } = JSON.parse(manifests.join())
  return [explained.map(({ path, value }) => `${path} ${JSON.stringify(value)}`), JSON.parse(data.global)]
}

test('what a chart above says of global, null included, is no value of the subchart', async () => {
  assert.deepEqual(await globals('global: {x: null, own: 1, m: {a: null}}\n'), [
    ['.mid.low.global.z 2', '.mid.low.global.m.b 2', '.global.x null', '.global.own 1', '.global.m.a null'],
    { m: { b: 2 }, own: 1, z: 2 },
  ])
  assert.deepEqual((await globals('mid: {global: {x: null, z: 3}}\n'))[1], { m: { a: 1, b: 2 }, z: 3 })
  assert.deepEqual(await globals('{}\n', { values: 'global: {x: 7, z: null, m: 5}\n' }), [
    ['.global.x 7', '.global.z null', '.global.m 5'],
    { m: 5, x: 7 },
  ])
})

test('what no chart above names stays a value of the subchart', async () => {
  for (const top of ['{}\n', 'global: null\n', 'global: {own: 1}\n']) {
    const [explained] = await globals(top)
    assert.deepEqual(
      explained.filter((line) => line.startsWith('.mid')),
      ['.mid.low.global.x "low"', '.mid.low.global.z 2', '.mid.low.global.m.a 1', '.mid.low.global.m.b 2'],
    )
  }
})
