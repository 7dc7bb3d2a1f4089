import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { requireKnownKind } from './kinds.ts'

test('a known kind with its version is returned', () => {
  assert.equal(requireKnownKind({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' }), 'Application')
  assert.equal(requireKnownKind({ apiVersion: 'v1', kind: 'Secret' }), 'Secret')
})

test('an unknown kind is refused by its name', () => {
  for (const kind of ['Deployment', 'toString', '']) {
    assert.throws(
      () => requireKnownKind({ apiVersion: 'apps/v1', kind }),
      (error) => error instanceof InvalidInputError && error.message.includes(JSON.stringify(kind)),
    )
  }
})

test('a known kind with another version is refused with the right one', () => {
  assert.throws(
    () => requireKnownKind({ apiVersion: 'argoproj.io/v1', kind: 'Application' }),
    /Application has apiVersion argoproj\.io\/v1alpha1, not "argoproj\.io\/v1"/,
  )
})
