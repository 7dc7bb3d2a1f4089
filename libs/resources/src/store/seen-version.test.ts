import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '../resource.ts'
import { requireSeenVersion } from './seen-version.ts'

const seen: Resource = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'db', namespace: 'argocd', resourceVersion: '7', labels: { team: 'a' } },
  data: { password: 'b25l', user: 'YQ==' },
}
const { resourceVersion: _version, ...unversioned } = seen.metadata

test('what was seen, and what names no version, may be written', () => {
  requireSeenVersion(seen, seen)
  requireSeenVersion({ ...seen, metadata: unversioned }, { ...seen, data: {} })
  requireSeenVersion({ ...seen, metadata: unversioned }, undefined)
})

test('an object that changed is named with the fields that differ, and none of their values', () => {
  const stored = {
    ...seen,
    metadata: { ...seen.metadata, resourceVersion: '9', labels: { team: 'b' } },
    data: { password: 'dHdv', user: 'YQ==' },
  }
  assert.throws(
    () => requireSeenVersion(seen, stored),
    new ConflictError(
      'Secret argocd/db has changed since you read it, perhaps in its status alone; it differs from what you write in ' +
        'data.password, metadata.labels.team; read it again and repeat your change, or leave out ' +
        'metadata.resourceVersion to replace whatever is stored',
    ),
  )
})

test('an object that is gone, and one whose status alone changed, are not what was seen either', () => {
  assert.throws(() => requireSeenVersion(seen, undefined), {
    message:
      'Secret argocd/db was deleted by somebody else; leave out metadata.resourceVersion to create it again',
  })
  const stored = { ...seen, metadata: { ...seen.metadata, resourceVersion: '8' }, status: { phase: 'New' } }
  assert.throws(() => requireSeenVersion(seen, stored), {
    message: /has changed since you read it, in its status; read it again/,
  })
})
