import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from './domain-error.ts'
import { reworded } from './reword.ts'

test('every text of a domain error is changed and its lines stay, and other errors are left alone', () => {
  const at = { file: '/tmp/x/a.yaml', line: 2 }
  const error = new InvalidInputError('no /tmp/x/b', { at, context: ['in /tmp/x/'], path: '/tmp/x/c' })
  const changed = reworded(error, (text) => text.replaceAll('/tmp/x/', ''))
  assert.ok(changed instanceof InvalidInputError)
  assert.equal(changed.message, 'in : a.yaml:2: no b')
  assert.equal(changed.path, 'c')
  const bug = new Error('/tmp/x/')
  assert.equal(
    reworded(bug, () => ''),
    bug,
  )
})
