import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchChangeText } from './branch-changes.ts'

test('a move says which branches of an Application change', () => {
  const own = { syncBranch: 'prod', hydrateToBranch: '' }
  assert.equal(branchChangeText(own, { syncBranch: 'next', hydrateToBranch: '' }), 'prod becomes next')
  assert.equal(
    branchChangeText(own, { syncBranch: 'next', hydrateToBranch: 'next-review' }),
    'prod becomes next; staging next-review is new',
  )
  assert.equal(branchChangeText(own, { syncBranch: 'prod', hydrateToBranch: '' }), '')
})
