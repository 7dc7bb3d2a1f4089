import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApplicationSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_pb.ts'
import { withWireRemainder } from './wire-remainder.ts'

const hydrator = (more: object) => ({
  drySource: { repoURL: 'u', path: 'web' },
  syncSource: { path: 'web' },
  ...more,
})

test('fields that clients of Argo CD are not shown survive their changes', () => {
  const stored = { spec: { project: 'a', ours: 1, sourceHydrator: hydrator({ foreignChanges: 'restore' }) } }
  const written = { spec: { project: 'b', sourceHydrator: hydrator({}) } }
  assert.deepEqual(withWireRemainder(ApplicationSchema, written, stored), {
    spec: { project: 'b', ours: 1, sourceHydrator: hydrator({ foreignChanges: 'restore' }) },
  })
})

test('what a client was shown and took away is gone, with what is in it', () => {
  const stored = {
    spec: { info: [{ name: 'a', value: 'b' }], sourceHydrator: hydrator({ foreignChanges: 'x' }) },
  }
  assert.deepEqual(withWireRemainder(ApplicationSchema, { spec: { project: 'a' } }, stored), {
    spec: { project: 'a' },
  })
})
