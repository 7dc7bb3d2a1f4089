import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineStarts } from './engine-starts.ts'

test('renders that are far apart never start an engine', (t) => {
  t.mock.method(performance, 'now', () => now)
  let now = 0
  const starts = new EngineStarts(2)
  const engine = {
    isStarted: false,
    isReady: false,
    addTool: () => assert.fail('no tool is run'),
  }
  const worth = [0, 9_000, 18_000, 60_000, 120_000].map((at) => {
    now = at
    return starts.isWorth(engine)
  })
  assert.deepEqual(worth, [false, false, true, false, false])
})
