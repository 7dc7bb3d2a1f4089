import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitManifests } from './emit-manifests.ts'
import type { JsonValue, Manifest } from './manifest.ts'
import { manifestFromJson } from './manifest-json.ts'
import { parseManifests } from './parse-manifests.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { randomValue } from './random-value-fixture.ts'

function manifestsOfArray(json: string): Manifest[] {
  const { items } = manifestFromJson(`{"items":${json}}`)
  assert.ok(Array.isArray(items))
  return items.filter((item): item is Manifest => isJsonObject(item))
}

for (const name of ['1', '3-keysort']) {
  test(`the bytes are those of Argo CD for its recorded input ${name}`, () => {
    const input = readFileSync(join(import.meta.dirname, 'testdata', `yaml-in-${name}.json`), 'utf8')
    const output = readFileSync(join(import.meta.dirname, 'testdata', `yaml-out-${name}.yaml`), 'utf8')
    assert.equal(emitManifests(manifestsOfArray(input)), output)
  })
}

test('files that Argo CD wrote come back byte for byte', (context) => {
  const recorded = join(import.meta.dirname, '../../../../shared/fixtures/argocd-output/hydrated')
  if (!existsSync(recorded)) {
    context.diagnostic('skipped: the recorded files are not beside this checkout')
    return
  }
  const files = readdirSync(recorded)
  assert.ok(files.length > 10)
  for (const file of files) {
    const text = readFileSync(join(recorded, file), 'utf8')
    assert.equal(emitManifests(parseManifests(text, { file })), text, file)
  }
})

test('no manifests are not bytes, and an empty one is an empty mapping', () => {
  assert.equal(emitManifests([]), '')
  assert.equal(emitManifests([{}, { a: 1 }]), '{}\n---\na: 1\n')
})

test('keys that cannot stand before a colon are written in the explicit form', () => {
  const long = 'k'.repeat(129)
  assert.equal(
    emitManifests([{ [long]: { b: [] }, [long.slice(1)]: 1, ['é'.repeat(65)]: [1, 2], 'a \nb': { c: 1 } }]),
    [
      `? "a \\nb"\n: c: 1\n`,
      `${long.slice(1)}: 1\n`,
      `? ${long}\n: b: []\n`,
      `? ${'é'.repeat(65)}\n: - 1\n  - 2\n`,
    ].join(''),
  )
})

test('a key << is quoted, so that no reader takes it for a merge', () => {
  assert.equal(emitManifests([{ '<<': { a: '<<' } }]), '"<<":\n  a: <<\n')
})

test('a text that begins with a tab says its indentation, as kubectl could not read it otherwise', () => {
  assert.equal(emitManifests([{ a: '\tb\nc\n' }]), 'a: |2\n  \tb\n  c\n')
})

test('any value is read back as it was written', () => {
  const random = seededRandom(1)
  for (let round = 0; round < 3000; round++) {
    const value: JsonValue = randomValue(random, 4)
    const manifest = { apiVersion: 'v1', kind: 'Probe', value, values: [value, [value]] }
    const text = emitManifests([manifest, manifest])
    assert.deepEqual(parseManifests(text, { file: `round-${round}` }), [manifest, manifest], text)
  }
})
