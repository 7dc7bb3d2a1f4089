import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { mapWithLimit } from './map-with-limit.ts'

const items = Array.from({ length: 20 }, (_, index) => index)

test('results come in the order of the items, and no more than the limit run at a time', async () => {
  let running = 0
  let most = 0
  const results = await mapWithLimit(items, 3, async (item) => {
    most = Math.max(most, ++running)
    for (let turns = item % 4; turns >= 0; turns--) await nextTurn()
    running--
    return item * 2
  })
  assert.deepEqual(
    results,
    items.map((item) => item * 2),
  )
  assert.equal(most, 3)
})

test('after an error nothing more begins, and what had begun is waited for', async () => {
  const gate = Promise.withResolvers<void>()
  const begun: number[] = []
  const ended: number[] = []
  const mapping = mapWithLimit(items, 3, async (item) => {
    begun.push(item)
    if (item === 1) throw new Error('item 1 is broken')
    await gate.promise
    ended.push(item)
    throw new Error(`item ${item} is broken too`)
  })
  const rejected = assert.rejects(mapping, { message: 'item 1 is broken' })
  await nextTurn()
  assert.deepEqual([begun, ended], [[0, 1, 2], []])
  gate.resolve()
  await rejected
  assert.deepEqual(
    [begun, ended],
    [
      [0, 1, 2],
      [0, 2],
    ],
  )
})

test('no items give no results', async () => {
  assert.deepEqual(await mapWithLimit([], 3, async () => 'never'), [])
})
