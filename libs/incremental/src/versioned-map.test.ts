import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { VersionedMap } from './versioned-map.ts'

function counted(size: number): VersionedMap<string, number> {
  return VersionedMap.of(Array.from({ length: size }, (_, index) => [`key ${index}`, index] as const))
}

test('a map stays as it is when another is made of it', () => {
  const first = VersionedMap.of([
    ['a', 1],
    ['b', 2],
  ])
  const next = first.with([
    ['a', undefined],
    ['c', 3],
  ])
  assert.deepEqual(
    [first, next].map((map) => [...map]),
    [
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        ['b', 2],
        ['c', 3],
      ],
    ],
  )
  assert.deepEqual([next.size, next.has('a'), next.get('b'), [...next.keys()]], [2, false, 2, ['b', 'c']])
})

test('a map with the values that it has keeps its version, and one with others gets a new one', () => {
  const map = VersionedMap.of([['a', 1]])
  assert.equal(
    map.with([
      ['a', 1],
      ['b', undefined],
    ]).version,
    map.version,
  )
  assert.notEqual(map.with([['a', 2]]).version, map.version)
})

test('without another map all keys differ', () => {
  assert.deepEqual(
    VersionedMap.of([
      ['a', 1],
      ['b', 2],
    ]).differingFrom(undefined),
    ['a', 'b'],
  )
})

test('the difference between maps of one origin is found in their steps, and one that was taken back is none', () => {
  const origin = counted(1_000)
  const one = origin.with([['key 1', -1]]).with([['key 2', -2]])
  const other = origin.with([['key 2', -2]]).with([
    ['key 3', undefined],
    ['new', 5],
  ])
  assert.deepEqual(one.differingFrom(other).toSorted(), ['key 1', 'key 3', 'new'])
  assert.deepEqual(one.with([['key 1', 1]]).differingFrom(origin), ['key 2'])
  assert.deepEqual(origin.differingFrom(one).toSorted(), ['key 1', 'key 2'])
})

test('whatever the steps between two maps, what differs is what a comparison of all entries finds', () => {
  const random = seededRandom(5)
  const maps = [counted(50)]
  for (let n = 0; n < 400; n++) {
    const changes = Array.from({ length: random.integer(0, 8) }, () => {
      const value = random.chance(0.2) ? undefined : random.below(20)
      return [`key ${random.below(60)}`, value] as const
    })
    maps.push(random.pick(maps.slice(-8)).with(new Map(changes)))
    const [one, other] = [random.pick(maps), random.pick(maps)]
    const all = new Set([...one.keys(), ...other.keys()])
    const wanted = [...all].filter((key) => one.get(key) !== other.get(key))
    assert.deepEqual(one.differingFrom(other).toSorted(), wanted.toSorted(), `step ${n}`)
  }
})

test('a map that was made in many steps takes no more than its entries for them', () => {
  const origin = counted(10)
  let map = origin
  for (let n = 1; n <= 200; n++) map = map.with([['key 1', -n]])
  assert.deepEqual(map.differingFrom(origin), ['key 1'])
  assert.deepEqual(map.with([['key 2', -1]]).differingFrom(map), ['key 2'])
})

test('what changed since an earlier version is listed by its name, and not for one that is unknown', () => {
  const origin = counted(100)
  const now = origin.with([['key 1', -1]]).with([['key 2', undefined]])
  assert.deepEqual(now.changedSince(origin.version)?.toSorted(), ['key 1', 'key 2'])
  assert.deepEqual(now.changedSince(now.version), [])
  assert.deepEqual([now.changedSince(counted(100).version), now.changedSince('')], [undefined, undefined])
})
