import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rendezvousOrder } from './rendezvous.ts'

const members = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `http://server-${index}:8081`)
const keys = Array.from({ length: 1_000 }, (_, index) => `https://git.example.com/team/repository-${index}`)

test('the order is the same for every caller, whatever the order of its addresses', () => {
  const [first, ...others] = members(5)
  assert.deepEqual(rendezvousOrder('a', [...others, first ?? '']), rendezvousOrder('a', members(5)))
})

test('keys are spread evenly', () => {
  const owned = Map.groupBy(keys, (key) => rendezvousOrder(key, members(4))[0])
  assert.equal(owned.size, 4)
  for (const { length } of owned.values()) assert.ok(length > 200 && length < 300, String(length))
})

test('a fifth member takes keys only for itself, about a fifth of them', () => {
  const moved = keys.filter(
    (key) => rendezvousOrder(key, members(4))[0] !== rendezvousOrder(key, members(5))[0],
  )
  assert.ok(moved.every((key) => rendezvousOrder(key, members(5))[0] === 'http://server-4:8081'))
  assert.ok(moved.length > 150 && moved.length < 250, String(moved.length))
})

test('the keys of a member that left go to their second', () => {
  const left = 'http://server-2:8081'
  const rest = members(4).filter((member) => member !== left)
  for (const key of keys) {
    const before = rendezvousOrder(key, members(4)).filter((member) => member !== left)
    assert.deepEqual(rendezvousOrder(key, rest), before)
  }
})
