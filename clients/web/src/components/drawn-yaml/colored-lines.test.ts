import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coloredLines } from './colored-lines.ts'

/** Returns the colored parts of a text, line by line. */
function colors(text: string): string[][] {
  const lines = coloredLines(text)
  assert.equal(lines.map((line) => line.map((piece) => piece.text).join('')).join('\n'), text)
  return lines.map((line) => line.flatMap(({ text: part, color }) => (color ? `${color} ${part}` : [])))
}

test('keys, texts in quotes and comments have colors', () => {
  assert.deepEqual(
    colors('# settings\nkey: "value" # why\n- name of it: \'it\'\'s\'\n- - "quoted": plain # no\n'),
    [
      ['comment # settings'],
      ['key key', 'string "value"', 'comment # why'],
      ['key name of it', "string 'it''s'"],
      ['key "quoted"', 'comment # no'],
      [],
    ],
  )
  assert.deepEqual(colors('url: http://a/#b\ntext: don\'t "say": it\nimage: a:1.2\n"a: b"'), [
    ['key url'],
    ['key text'],
    ['key image'],
    ['string "a: b"'],
  ])
})

test('flows have colors, over lines too', () => {
  assert.deepEqual(colors('a: {b: "c", "d": [don\'t, e]}\nf: [\n  g, # h\n  "i"]'), [
    ['key a', 'key b', 'string "c"', 'key "d"'],
    ['key f'],
    ['comment # h'],
    ['string "i"'],
  ])
})

test('a block of text has no colors, up to a line that is not further in', () => {
  assert.deepEqual(
    colors('- a: |-\n    "b": c # d\n\n    # e\n  f: &x !!str > # folded\n   g: h\ni: j\n- |\n  k: l\nm: n'),
    [['key a'], [], [], [], ['key f'], [], ['key i'], [], [], ['key m']],
  )
})

test('a text in quotes goes on over lines', () => {
  assert.deepEqual(colors('a: "b \\\n  c: # d\n\n  \\"e" # f\ng: h'), [
    ['key a', 'string "b \\'],
    ['string   c: # d'],
    [],
    ['string   \\"e"', 'comment # f'],
    ['key g'],
  ])
})

test('what is not YAML has all of its text too', () => {
  for (const broken of [
    '{{ a }}: [',
    '\t- x: }\n"',
    '%\n---\n...\n- - -',
    'a: \u0000\r\nb: \u202E',
    '',
    ':',
    '- :',
  ])
    colors(broken)
})

test('a long line takes the time of its length', () => {
  const length = 200_000
  for (const part of [' ', 'a', "'", '"', '- ', '{', 'a: ', '"a" ', ': ', '#', '! ', '\\'])
    for (const before of ['', 'a: ', 'a: "', '- [']) colors(before + part.repeat(length / part.length))
})

test('marks begin and end within pieces, and go over lines', () => {
  const marked = (from: number, to: number) =>
    coloredLines('a: one\nb: two\n', [{ from, to }]).map((line) =>
      line.map((piece) => (piece.isMarked ? `<${piece.text}>` : piece.text)).join(''),
    )
  assert.deepEqual(marked(4, 5), ['a: o<n>e', 'b: two', ''])
  assert.deepEqual(marked(3, 6), ['a: <one>', 'b: two', ''])
  assert.deepEqual(marked(5, 8), ['a: on<e>', '<b>: two', ''])
  assert.deepEqual(marked(6, 7), ['a: one', 'b: two', ''])
})
