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
  const all = strings.map((text) => ({ text, bytes: Buffer.from(text) }))
  for (const one of all) {
    for (const other of all) {
      const expected = Buffer.compare(one.bytes, other.bytes)
      if (expected === 0 || Math.sign(byBytes(one.text, other.text)) === expected) continue
      assert.fail(`${JSON.stringify([one.text, other.text])} must compare as ${expected}`)
    }
    assert.equal(byBytes(one.text, one.text), 0)
  }
})
