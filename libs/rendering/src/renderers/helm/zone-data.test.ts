import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openContainment } from '@wadi/containment/containment.ts'
import { guardForTests } from '../../run/guard-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import { renderSource } from '../../run/render-source.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'

const tools = await testTools()

const layout = '2006-01-02T15:04:05Z07:00'
const inZone = (zone: string) =>
  `{{ dateInZone "${layout}" (toDate "${layout}" "2024-07-01T12:00:00Z") "${zone}" | quote }}`

const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/cm.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  berlin: ${inZone('Europe/Berlin')}
  kolkata: ${inZone('Asia/Kolkata')}
  html: {{ htmlDateInZone (toDate "${layout}" "2024-07-01T23:00:00Z") "Europe/Berlin" | quote }}
  none: ${inZone('None/Such')}
`,
}

const expected = {
  berlin: '2024-07-01T14:00:00+02:00',
  html: '2024-07-02',
  kolkata: '2024-07-01T17:30:00+05:30',
  // Sprig takes UTC for a zone that it does not know.
  none: '2024-07-01T12:00:00Z',
}

function dataOf([manifest = '{}', ...more]: readonly string[]): unknown {
  assert.deepEqual(more, [])
  return JSON.parse(manifest).data
}

test('a chart gets the same time in a zone from helm in namespaces, in limits alone, and from the engine', async () => {
  await using fixture = new RenderFixture(tools, files)
  const source = testSource('web')
  assert.deepEqual(dataOf((await fixture.render(source)).manifests), expected)

  const programs = path.join(fixture.directory, '.programs')
  mkdirSync(programs)
  for (const name of ['sh', 'env']) symlinkSync(`/usr/bin/${name}`, path.join(programs, name))
  await using containment = await openContainment({
    directory: path.join(fixture.directory, '.containment'),
    memoryBytes: 1024 ** 3,
    programDirectories: [programs],
    hidden: [],
    warn: () => undefined,
  })
  assert.equal(containment.isolatedBy, undefined)
  const inspection = await fixture.inspect(source)
  const plain = await renderSource(openDirectoryTree(fixture.directory), inspection, {
    ...fixture.context(source),
    containment,
  })
  assert.deepEqual(dataOf(plain.manifests), expected)

  const { render, outcomes } = guardForTests(fixture)
  for (const _ of [1, 2]) assert.deepEqual(dataOf((await render(source, false)).manifests), expected)
  assert.deepEqual(outcomes, ['equal', 'fast'])
})
