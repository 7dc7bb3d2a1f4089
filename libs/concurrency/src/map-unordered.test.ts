import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapUnordered } from './map-unordered.ts'

const { signal } = new AbortController()

/** Resolves when the signal aborts. */
function aborted(given: AbortSignal): Promise<void> {
  return new Promise((resolve) => given.addEventListener('abort', () => resolve(), { once: true }))
}

test('results come as soon as they are there, each exactly once', async () => {
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const results = mapUnordered(gates, 3, signal, async (gate) => {
    await gate.promise
    return gates.indexOf(gate)
  })
  const seen: number[] = []
  for (const index of [2, 0, 1]) {
    gates[index]?.resolve()
    seen.push((await results.next()).value)
  }
  assert.deepEqual(seen, [2, 0, 1])
  assert.equal((await results.next()).done, true)
})

test('no more than the width run at a time, and all items have their turn', async () => {
  let running = 0
  let most = 0
  const items = Array.from({ length: 20 }, (_, index) => index)
  const seen = await Array.fromAsync(
    mapUnordered(items, 3, signal, async (item) => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return item
    }),
  )
  assert.equal(most, 3)
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    items,
  )
})

test('nothing to do yields nothing', async () => {
  const none = mapUnordered<number, number>([], 3, signal, async (item) => item)
  assert.deepEqual(await Array.fromAsync(none), [])
})

test('a consumer that stops ends the tasks under way and waits for them', async () => {
  let ended = 0
  const results = mapUnordered([0, 1, 2, 3], 3, signal, async (item, given) => {
    if (item === 0) return item
    await aborted(given)
    ended++
    return item
  })
  for await (const result of results) {
    assert.equal(result, 0)
    break
  }
  assert.equal(ended, 2)
})

test('a task that throws ends the others, and its error is the one that is reported', async () => {
  let ended = 0
  const results = mapUnordered([0, 1, 2], 3, signal, async (item, given) => {
    if (item === 0) throw new Error('no chart')
    await aborted(given)
    ended++
    throw new Error('aborted')
  })
  await assert.rejects(Array.fromAsync(results), { message: 'no chart' })
  assert.equal(ended, 2)
})

test('a signal that aborts reaches the tasks and ends the iteration with its reason', async () => {
  const caller = new AbortController()
  const results = mapUnordered([0, 1, 2, 3], 2, caller.signal, async (item, given) => {
    if (item > 0) await aborted(given)
    return item
  })
  assert.equal((await results.next()).value, 0)
  const rest = results.next()
  caller.abort(new Error('the caller went away'))
  await assert.rejects(
    async () => {
      await rest
      await results.next()
    },
    { message: 'the caller went away' },
  )
})
