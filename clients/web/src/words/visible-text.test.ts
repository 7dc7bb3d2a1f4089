import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hiddenParts, visibleText } from './visible-text.ts'

test('overrides of direction and control characters are shown by their code', () => {
  assert.equal(visibleText('safe\u202Egnp.exe'), 'safe[U+202E]gnp.exe')
  assert.equal(visibleText('a\u2066b\u2069\u200F'), 'a[U+2066]b[U+2069][U+200F]')
  assert.equal(visibleText('one\r\u001B[2Jtwo\u0085'), 'one[U+000D][U+001B][2Jtwo[U+0085]')
})

test('letters of every language, joined signs, tabs and lines stay', () => {
  const text = 'שלום عربي 👩‍👩‍👧\tnext\nline'
  assert.equal(visibleText(text), text)
})

test('code is cut at the characters that would hide or reorder others, and keeps all of it', () => {
  assert.deepEqual(hiddenParts('a\u202Eb\u200B\tc'), ['a', '\u202E', 'b', '\u200B', '\tc'])
  assert.deepEqual(hiddenParts('plain: "text"'), ['plain: "text"'])
})
