import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { ToolChanges, withTrailers } from './tool-changes.ts'

const record = (...tools: unknown[]) => readHydratorMetadata(JSON.stringify({ tools }))
const helm = (version: string) => record({ name: 'helm', version })

test('each change of a version is one trailer with the number of directories', () => {
  const changes = new ToolChanges()
  changes.add(helm('v4.1.3'), helm('v4.1.4'))
  changes.add(helm('v4.1.3'), helm('v4.1.4'))
  changes.add(helm('v4.1.4'), helm('v4.1.4'))
  changes.add(undefined, helm('v4.1.4'))
  changes.add(
    record({ name: 'kustomize', version: 'v5\nSigned-off-by: x' }),
    record({ name: 'kustomize', version: 'v6' }),
  )
  changes.add(readHydratorMetadata('no json'), helm('v4.1.4'))
  changes.add(record(null, 1, { name: 'helm' }), helm('v4.1.4'))
  assert.deepEqual(changes.trailers(), [
    'Tool-changed: helm v4.1.3 to v4.1.4 in 2 directories',
    'Tool-changed: kustomize v5 Signed-off-by: x to v6 in 1 directory',
  ])
})

test('the versions of a directory whose parts ask for their own are listed together, in whatever order they were recorded', () => {
  const tools = (...versions: string[]) => record(...versions.map((version) => ({ name: 'helm', version })))
  const changes = new ToolChanges()
  changes.add(tools('v4.1.4'), tools('v4.3.1', 'v4.1.4'))
  changes.add(tools('v4.3.1', 'v4.1.4'), tools('v4.1.4', 'v4.3.1'))
  assert.deepEqual(changes.trailers(), ['Tool-changed: helm v4.1.4 to v4.1.4 and v4.3.1 in 1 directory'])
})

test('trailers join those of a message or stand in a paragraph of their own', () => {
  assert.equal(withTrailers('a: b\n', []), 'a: b\n')
  assert.equal(withTrailers('57e1474: Add web\n', ['T: 1']), '57e1474: Add web\n\nT: 1\n')
  assert.equal(
    withTrailers('57e1474: Add web\n\nCo-authored-by: A <a@b>\n', ['T: 1', 'U: 2']),
    '57e1474: Add web\n\nCo-authored-by: A <a@b>\nT: 1\nU: 2\n',
  )
  assert.equal(
    withTrailers('57e1474: Add web\n\nA body.\n', ['T: 1']),
    '57e1474: Add web\n\nA body.\n\nT: 1\n',
  )
})
