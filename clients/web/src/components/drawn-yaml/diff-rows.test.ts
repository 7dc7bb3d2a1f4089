import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiffRow, diffRows, unifiedRows } from './diff-rows.ts'
import { diffSections } from './diff-sections.ts'

const textOf = (side: DiffRow['before']) =>
  side &&
  `${side.number} ${side.line.map((piece) => (piece.isMarked ? `<${piece.text}>` : piece.text)).join('')}`

const shown = (rows: readonly DiffRow[]) =>
  rows.map(({ isSame, before, after }) => [isSame ? '=' : '!', textOf(before), textOf(after)])

const lines = (count: number, changed?: number) =>
  Array.from(
    { length: count },
    (_, index) => `k${index + 1}: ${index + 1 === changed ? 'other' : 'v'}\n`,
  ).join('')

test('lines that replace one another are beside each other, with the words that differ', () => {
  assert.deepEqual(shown(diffRows('a: 1\nb: "2"\nc: 3', 'a: 1\nb: "7"\nd: 4\nc: 3')), [
    ['=', '1 a: 1', '1 a: 1'],
    ['!', '2 b: "<2>"', '2 b: "<7>"'],
    ['!', undefined, '3 <d><: 4>'],
    ['=', '3 c: 3', '4 c: 3'],
  ])
})

test('a text that was not there, or is not there any more, has no line', () => {
  assert.deepEqual(shown(diffRows('', 'a: 1\n')), [
    ['!', undefined, '1 a: 1'],
    ['!', undefined, '2 '],
  ])
  assert.deepEqual(shown(diffRows('a: 1', '')), [['!', '1 a: 1', undefined]])
})

test('in one column the lines before a change are above those after it', () => {
  assert.deepEqual(shown(unifiedRows(diffRows('a: 1\nb: 2\nc: 3', 'a: 4\nb: 5\nc: 3'))), [
    ['!', '1 a: <1>', undefined],
    ['!', '2 b: <2>', undefined],
    ['!', undefined, '1 a: <4>'],
    ['!', undefined, '2 b: <5>'],
    ['=', '3 c: 3', '3 c: 3'],
  ])
})

test('what is the same and far from a change is folded, few lines are not', () => {
  const sections = diffSections(diffRows(lines(30, 15), lines(30)))
  assert.deepEqual(
    sections.map(({ isFolded, rows }) => [isFolded, rows.length]),
    [
      [true, 11],
      [false, 7],
      [true, 13],
    ],
  )
  const few = diffSections(diffRows(lines(8, 1), lines(8)))
  assert.ok(few.every(({ isFolded }) => !isFolded))
})

test('texts that have nothing in common are one change', () => {
  const [one, other] = [7, 11].map((factor) =>
    Array.from({ length: 3_000 }, (_, index) => `${factor}-${index * factor}: x`).join('\n'),
  )
  const rows = diffRows(one ?? '', other ?? '')
  assert.equal(rows.length, 3_000)
  assert.ok(rows.every(({ isSame, before, after }) => !isSame && before && after))
})
