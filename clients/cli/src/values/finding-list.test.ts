import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortFindings } from '@wadi/zarf/lint/finding.ts'
import { findingLine, findingObject } from './finding-list.ts'

test('findings are sorted by place as numbers, each once', () => {
  const at = (file: string, line?: number, column?: number) => ({
    severity: 'error' as const,
    message: 'm',
    at: { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) },
  })
  const sorted = sortFindings([
    at('b', 1, 1),
    at('a', 10, 1),
    at('a', 2, 10),
    at('a', 2, 9),
    at('a', 2, 9),
    at('a'),
    { severity: 'warning', message: 'no place' },
  ])
  assert.deepEqual(sorted.map(findingLine), [
    'warning: no place',
    'a: m',
    'a:2:9: m',
    'a:2:10: m',
    'a:10:1: m',
    'b:1:1: m',
  ])
})

test('a message of several lines is one line of text and stays as it is for programs', () => {
  const finding = { severity: 'error' as const, message: 'first:\n  second', at: { file: 'a', line: 3 } }
  assert.equal(findingLine(finding), 'a:3: first: second')
  assert.deepEqual(findingObject(finding), {
    severity: 'error',
    file: 'a',
    line: 3,
    message: 'first:\n  second',
  })
})

test('programs get the path and the code of a finding', () => {
  const at = { file: 'a', line: 3, column: 2 }
  const finding = { severity: 'error' as const, message: 'm', at, path: '.Values.a', code: 'undefined-value' }
  assert.deepEqual(findingObject(finding), {
    severity: 'error',
    file: 'a',
    line: 3,
    column: 2,
    path: '.Values.a',
    code: 'undefined-value',
    message: 'm',
  })
})
