import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamCuts } from './stream-cuts.ts'

const noted = (...lifetimes: number[]) => {
  const cuts = new StreamCuts()
  return lifetimes.map((lifetime) => cuts.note(lifetime))
}

test('the third stream in a row that ends after the same time has a hint, once', () => {
  const [first, second, third, ...later] = noted(5_012, 5_340, 5_005, 5_010, 5_100)
  assert.deepEqual([first, second, ...later], [undefined, undefined, undefined, undefined])
  assert.match(
    third ?? '',
    /^the connection to the server was cut after 5 s, 3 times in a row; .*proxy-read-timeout/,
  )
})

test('streams that end at any time, or after minutes, have none', () => {
  for (const lifetimes of [
    [20, 5_000, 300, 9_000, 60],
    [5_000, 5_000, 60_000, 5_000, 5_000],
    [600_000, 600_000, 600_000],
  ])
    assert.deepEqual(new Set(noted(...lifetimes)), new Set([undefined]))
})
