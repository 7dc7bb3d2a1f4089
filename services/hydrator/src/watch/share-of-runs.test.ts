import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOfRuns } from './share-of-runs.ts'

test('a hydrator takes few branches while it renders, and more and more when it does not', () => {
  const rendering = { taken: 0, waiting: 0 }
  const share = shareOfRuns(rendering, { renders: 5, most: 64 })
  assert.deepEqual([share(0), share(9), share(8), share(7), share(6)], [10, 20, 40, 64, 64])
  rendering.taken = 3
  assert.deepEqual([share(5), share(4)], [10, 20])
})

test('a hydrator takes few branches while one of them waits to be rendered', () => {
  const rendering = { taken: 1, waiting: 1 }
  const share = shareOfRuns(rendering, { renders: 1, most: 64 })
  assert.deepEqual([share(2), share(2)], [2, 2])
  rendering.waiting = 0
  assert.deepEqual([share(1), share(1)], [4, 8])
})

test('what begins after a pause is shared again', () => {
  const share = shareOfRuns({ taken: 0, waiting: 0 }, { renders: 1, most: 64 })
  assert.deepEqual([share(0), share(1), share(0), share(1)], [2, 4, 2, 4])
})

test('it takes no more than there may be runs', () => {
  const share = shareOfRuns({ taken: 0, waiting: 0 }, { renders: 50, most: 64 })
  assert.deepEqual([share(0), share(1)], [64, 64])
})
