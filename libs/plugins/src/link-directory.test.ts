import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkDirectory } from './link-directory.ts'

test('links are found by the steps of their paths', () => {
  const root = linkDirectory(
    new Map([
      ['a', '..'],
      ['b/c/d', 'x'],
      ['b/e', ''],
    ]),
  )
  assert.deepEqual([...root.below.keys()], ['a', 'b'])
  assert.equal(root.below.get('a')?.target, '..')
  const b = root.below.get('b')
  assert.equal(b?.target, undefined)
  assert.equal(b?.below.get('c')?.below.get('d')?.target, 'x')
  assert.equal(b?.below.get('e')?.target, '')
})
