import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { RunDirectorySchema, RunSchema, RunStepSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { countsText, directoryText, stepBar, stepTitle } from './run-words.ts'

test('directories are counted by what became of them', () => {
  assert.equal(countsText(create(RunSchema, { total: 4, rendered: 1, skipped: 3 })), '1 rendered, 3 skipped')
  assert.equal(countsText(create(RunSchema, {})), '')
})

test('a directory says why it was rendered, cached or skipped', () => {
  const run = create(RunSchema, { outcome: 'Hydrated', total: 2 })
  const directory = (result: string, isChanged = false) => create(RunDirectorySchema, { result, isChanged })
  assert.match(directoryText(run, directory('rendered', true)), /was rendered, and its manifests changed/)
  assert.match(directoryText(run, directory('cached')), /cached result was taken; its manifests stayed/)
  assert.match(directoryText(run, directory('failed')), /cannot be rendered/)
  assert.match(directoryText(run, undefined), /skipped: nothing that decides its manifests changed/)
  assert.equal(directoryText(create(RunSchema, { ...run, directoriesLeftOut: 5 }), undefined), '')
  assert.match(directoryText(create(RunSchema, { outcome: 'Running' }), undefined), /not reached yet/)
})

test('the bar of a step is within that of its run, also of one under way', () => {
  const step = (afterMilliseconds: number, milliseconds: number) =>
    create(RunStepSchema, { afterMilliseconds, milliseconds })
  assert.deepEqual(stepBar(step(250, 500), 1_000), { start: 25, width: 50 })
  assert.deepEqual(stepBar(step(250, -1), 1_000), { start: 25, width: 75 })
  assert.deepEqual(stepBar(step(1_000, 400), 1_000), { start: 100, width: 0.5 })
})

test('a step that this page does not know has its own name', () => {
  assert.equal(stepTitle({ name: 'commit' }), 'Render and commit')
  assert.equal(stepTitle({ name: 'toString' }), 'toString')
})
