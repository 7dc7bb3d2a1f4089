import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitProgram } from './split-program.ts'

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** A section that is passed over, a memory of 119 pages with these limits, what exports it as `mem`, and data. */
const moduleOf = (memory: readonly number[], data: readonly number[] = []): Uint8Array =>
  Uint8Array.from([...header, 0, 2, 1, 0x78, 5, ...memory, 7, 7, 1, 3, 0x6d, 0x65, 0x6d, 2, 0, ...data])

test('a module keeps everything but gets a maximum of 8192 pages for its memory', () => {
  assert.deepEqual(
    [...splitProgram(moduleOf([3, 1, 0, 119])).module],
    [...moduleOf([5, 1, 1, 119, 0x80, 0x40])],
  )
  assert.deepEqual(
    [...splitProgram(moduleOf([4, 1, 0, 0x80, 2])).module],
    [...moduleOf([6, 1, 1, 0x80, 2, 0x80, 0x40])],
  )
})

test('data becomes what the memory begins with, and what follows it in the module stays', () => {
  const pieces = [0, 0x41, 3, 0x0b, 2, 7, 8, 0, 0x41, 0x87, 1, 0x0b, 1, 9]
  const after = [0, 2, 1, 0x79]
  const { module, data } = splitProgram(moduleOf([3, 1, 0, 119], [11, 15, 2, ...pieces, ...after]))
  assert.deepEqual([...module], [...moduleOf([5, 1, 1, 119, 0x80, 0x40], after)])
  const expected = new Uint8Array(136)
  expected.set([7, 8], 3)
  expected.set([9], 135)
  assert.deepEqual(data, expected)
})

test('a module without a memory, or with another kind of limits, is refused', () => {
  for (const bytes of [
    Uint8Array.from(header),
    moduleOf([4, 1, 1, 119, 120]),
    moduleOf([5, 2, 0, 119, 0, 119]),
  ]) {
    assert.throws(() => splitProgram(bytes), { message: /has no memory that can be bounded/ })
  }
})

test('data without a constant place is refused', () => {
  for (const piece of [
    [1, 1, 7],
    [0, 0x23, 0, 0x0b, 1, 7],
    [0, 0x41, 3, 0x41, 4, 0x6a, 0x0b, 1, 7],
  ]) {
    const data = [11, piece.length + 1, 1, ...piece]
    assert.throws(() => splitProgram(moduleOf([3, 1, 0, 119], data)), { message: /not at a constant place/ })
  }
})
