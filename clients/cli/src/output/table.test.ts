import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableText } from './table.ts'

test('columns are padded by two spaces, the last one not at all', () => {
  assert.equal(
    tableText(['A', 'LONGER', 'C'], [['wide cell', 'x', '']]),
    'A          LONGER  C\nwide cell  x       \n',
  )
})

test('a cell with line breaks or terminal controls stays one harmless line', () => {
  assert.equal(tableText(['A', 'B'], [['x\ny\u001b[31m', 'z']]), 'A            B\nx y\\x1b[31m  z\n')
})
