import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { EngineStarts } from './engine-starts.ts'

const engine = (isStarted: boolean) => ({
  isStarted,
  isReady: isStarted,
  addTool: () => assert.fail('no tool is run'),
})

/** Returns for renders at some times whether their engines are worth a start. */
function worth(t: TestContext, renders: readonly (readonly [at: number, isStarted?: boolean])[]): boolean[] {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const starts = new EngineStarts(2)
  return renders.map(([at, isStarted = false]) => {
    now = at
    return starts.isWorth({ renderer: 'helm', engine: engine(isStarted) })
  })
}

test('renders that are far apart never start an engine', (t) => {
  const renders = worth(t, [[0], [9_000], [18_000], [60_000], [120_000]])
  assert.deepEqual(renders, [false, false, true, false, false])
})

test('renders by another version that runs count as well', (t) => {
  const renders = worth(t, [[0], [1_000], [2_000], [11_000, true], [20_000], [60_000, true], [61_000]])
  assert.deepEqual(renders, [false, false, true, true, true, true, false])
})
