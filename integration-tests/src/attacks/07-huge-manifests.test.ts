import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach } from './hydrate-each-fixture.ts'

const chart = (template: string) => ({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/a.yaml': template,
})
const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

const attacks: Record<string, { files: Record<string, string>; message: RegExp }> = {
  printed: {
    files: chart(`${object}data: {a: {{ repeat 70000000 "x" }}}\n`),
    message: /helm wrote more than 67108864 bytes and was stopped/,
  },
  result: {
    files: chart(`${object}data: {a: {{ repeat 11000000 "x" }}}\n`),
    message: /\d+ bytes.*limit|larger than|more than 10485760/,
  },
  documents: {
    files: chart(`{{ range until 20001 }}\n---\n${object}{{ end }}\n`),
    message: /more than 20000 documents/,
  },
  file: {
    files: { 'a.yaml': `${object}data: {a: ${'x'.repeat(11_000_000)}}\n` },
    message: /larger than|more than/,
  },
}

test('manifests above the limits fail their source with the limit, and the others are hydrated', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const files = Object.entries(attacks).flatMap(([directory, attack]) =>
    Object.entries(attack.files).map(([path, text]) => [`${directory}/${path}`, text]),
  )
  const repository = await fixture.createRepository('huge', {
    ...Object.fromEntries(files),
    'good/a.yaml': configMap('good', '1'),
  })
  const before = process.memoryUsage().rss
  const outcomes = await hydrateEach(fixture, repository, [...Object.keys(attacks), 'good'])
  for (const [directory, { message }] of Object.entries(attacks)) {
    const outcome = outcomes.get(directory)
    assert.deepEqual([outcome?.phase, outcome?.manifest], ['Failed', ''], directory)
    assert.match(outcome?.message ?? '', message, directory)
  }
  assert.equal(outcomes.get('good')?.phase, 'Hydrated')
  assert.ok(process.memoryUsage().rss - before < 1024 ** 3)
})
