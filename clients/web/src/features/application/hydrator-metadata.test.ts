import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hydratorMetadata } from './hydrator-metadata.ts'

test('tools and commands are read, and a file of another form says nothing', () => {
  const json = JSON.stringify({ tools: [{ name: 'helm', version: 'v4' }], commands: ['helm template .', 7] })
  assert.deepEqual(hydratorMetadata(json), { tools: ['helm v4'], commands: ['helm template .'] })
  for (const other of ['', 'no json', '[]', '{"tools": 3}'])
    assert.deepEqual(hydratorMetadata(other), { tools: [], commands: [] })
})
