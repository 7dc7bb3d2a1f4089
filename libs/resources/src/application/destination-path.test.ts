import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanDestinationPath } from './destination-path.ts'

test('spellings of one directory are cleaned to the same path', () => {
  for (const path of ['a/b', './a/b', 'a//b/', 'a/./b', 'x/../a/b'])
    assert.equal(cleanDestinationPath(path), 'a/b')
})

test('every spelling of the root is cleaned to the empty path', () => {
  for (const path of ['', '.', './', '/', '//', 'a/..', './.', 'a/b/../..'])
    assert.equal(cleanDestinationPath(path), '')
})

test('a path that is absolute, leaves the branch or enters git is refused', () => {
  const refused = [
    '/a',
    '..',
    '../a',
    'a/../../b',
    '.git',
    'a/.GIT/hooks',
    'git~1',
    '.g\u200cit',
    'a\\b',
    'a\u0000b',
    '.git.',
  ]
  for (const path of refused) {
    assert.throws(() => cleanDestinationPath(path), { name: 'InvalidInputError' }, JSON.stringify(path))
  }
})
