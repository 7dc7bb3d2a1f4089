import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { readRecordedOutputs } from './recorded-outputs.ts'
import type { RecordedOutputs } from './recorded-outputs.ts'

function read(text: string): RecordedOutputs {
  const [document] = readLocatedDocuments(text, 'apps/a/outputs.yaml')
  assert.ok(document)
  return readRecordedOutputs(document)
}

test('outputs are recorded by resource in the shape of cartotest', () => {
  const { file, byResource } = read(`previousOutputs:
  build: {image: my-image}
  git: {source: {url: https://x, revision: 5}}
  conv: {config: {a: [1]}}
`)
  assert.equal(file, 'apps/a/outputs.yaml')
  assert.equal(byResource.get('build')?.get('image')?.value, 'my-image')
  assert.equal(byResource.get('git')?.get('revision')?.value, 5)
  assert.equal(byResource.get('git')?.get('url')?.at.line, 3)
  assert.deepEqual(byResource.get('conv')?.get('config')?.value, new Map([['a', [1]]]))
})

test('fields that do not exist are refused with their place', () => {
  assert.throws(() => read('previousOutputs:\n  git: {url: x, source: {rev: 1}}\nother: 1\n'), {
    name: 'InvalidInputError',
    message: [
      'apps/a/outputs.yaml:3: unknown field other; expected one of previousOutputs',
      'apps/a/outputs.yaml:2: unknown field previousOutputs.git.url; expected one of source, image, config',
      'apps/a/outputs.yaml:2: unknown field previousOutputs.git.source.rev; expected one of url, revision',
    ].join('\n'),
  })
  assert.throws(
    () => read('previousOutputs: [1]\n'),
    /outputs\.yaml:1: previousOutputs must be an object, not a list/,
  )
})
