import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { type YamlPosition, yamlPositions } from './yaml-positions.ts'

function linesOf({ line, children }: YamlPosition): unknown {
  return children.size === 0
    ? line
    : Object.fromEntries(Array.from(children, ([key, child]) => [key, linesOf(child)]))
}

test('what a merge key replaces is where the merged object has it, as in the values', () => {
  const text = 'base: &base\n  a: 1\nover:\n  a: 2\n  <<: *base\nunder:\n  <<: *base\n  a: 3\n'
  const { source, documents } = readYaml(text, 'values.yaml')
  const [document] = documents
  assert.deepEqual(document?.value, { base: { a: 1 }, over: { a: 1 }, under: { a: 3 } })
  assert.deepEqual(linesOf(yamlPositions(source, document.eventIndex)), {
    base: { a: 2 },
    over: { a: 2 },
    under: { a: 8 },
  })
})

test('positions have the keys of the values', () => {
  const { source, documents } = readYaml('1.50: x\non:\n- y\n- z\n', 'values.yaml')
  assert.deepEqual(linesOf(yamlPositions(source, documents[0]?.eventIndex ?? 0)), {
    '1.5': 1,
    true: { 0: 3, 1: 4 },
  })
})
