import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byBytes } from './by-bytes.ts'

test('the order of bytes has the full-width tilde before an emoji, as Go has', () => {
  assert.deepEqual(['😀', '～', 'é', 'z', 'z'].toSorted(byBytes), ['z', 'z', 'é', '～', '😀'])
  assert.deepEqual(['😀', '～'].toSorted(), ['😀', '～'])
})

test('any two strings are in the order of their bytes', () => {
  const parts = ['', 'a', 'b', 'é', 'ﬁ', '～', '😀', '😁', '\ud83d', '\ude00', '\uffff']
  const strings = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => one + two + three)))
  for (const one of strings) {
    for (const other of strings) {
      const expected = Buffer.compare(Buffer.from(one), Buffer.from(other))
      if (expected !== 0) assert.equal(Math.sign(byBytes(one, other)), expected, JSON.stringify([one, other]))
    }
    assert.equal(byBytes(one, one), 0)
  }
})
