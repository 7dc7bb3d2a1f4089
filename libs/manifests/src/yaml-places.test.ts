import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { fileText } from './file-text.ts'
import { parseManifests } from './parse-manifests.ts'
import { readYaml } from './read-yaml.ts'

for (const [what, read, at] of [
  ['a syntax error', () => readYaml('a: 1\nb: [\n', 'f.yaml'), { file: 'f.yaml', line: 3 }],
  ['a duplicate key', () => readYaml('a: 1\na: 2\n', 'f.yaml'), { file: 'f.yaml', line: 2 }],
  [
    'too many nodes',
    () => readYaml('a: 1\nb: 2\n', 'f.yaml', { maxDepth: 9, maxNodes: 3 }),
    { file: 'f.yaml', line: 2 },
  ],
  [
    'an object without a kind in a later document',
    () => parseManifests('apiVersion: v1\nkind: A\n---\nb: 1\n', { file: 'f.yaml' }),
    { file: 'f.yaml', line: 4 },
  ],
  [
    'bytes that are not UTF-8',
    () => fileText(Buffer.from([0x61, 0x0a, 0xff]), 'f.yaml'),
    { file: 'f.yaml', line: 2 },
  ],
] as const) {
  test(`${what} has its place as data, and the message begins with it`, () => {
    assert.throws(read, (error) => {
      assert.ok(error instanceof DomainError)
      assert.deepEqual(error.at, at)
      assert.ok(error.message.startsWith(`f.yaml:${at.line}: `), error.message)
      assert.doesNotMatch(error.reason, /f\.yaml/)
      return true
    })
  })
}

test('the code of a syntax error differs from that of other YAML errors', () => {
  const codeOf = (text: string) => {
    try {
      return readYaml(text, 'f.yaml')
    } catch (error) {
      return error instanceof InvalidInputError ? error.code : error
    }
  }
  assert.equal(codeOf('b: [\n'), 'yaml-syntax')
  assert.equal(codeOf('a: 1\na: 2\n'), undefined)
})
