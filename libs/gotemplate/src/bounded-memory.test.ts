import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBoundedMemory } from './bounded-memory.ts'

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
/** A section that is passed over, a memory of 119 pages with these limits, and what exports it as `mem`. */
const moduleOf = (memory: readonly number[]): Uint8Array =>
  Uint8Array.from([...header, 0, 2, 1, 0x78, 5, ...memory, 7, 7, 1, 3, 0x6d, 0x65, 0x6d, 2, 0])

test('a module keeps everything but gets a maximum of 8192 pages for its memory', () => {
  assert.deepEqual(
    [...withBoundedMemory(moduleOf([3, 1, 0, 119]))],
    [...moduleOf([5, 1, 1, 119, 0x80, 0x40])],
  )
  assert.deepEqual(
    [...withBoundedMemory(moduleOf([4, 1, 0, 0x80, 2]))],
    [...moduleOf([6, 1, 1, 0x80, 2, 0x80, 0x40])],
  )
})

test('a module without a memory, or with another kind of limits, is refused', () => {
  for (const bytes of [
    Uint8Array.from(header),
    moduleOf([4, 1, 1, 119, 120]),
    moduleOf([5, 2, 0, 119, 0, 119]),
  ]) {
    assert.throws(() => withBoundedMemory(bytes), { message: /has no memory that can be bounded/ })
  }
})
