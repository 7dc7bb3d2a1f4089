import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationTable } from './application-table.ts'

test('an Application that finalizers hold is shown as being deleted', () => {
  const metadata = { name: 'web', namespace: 'argocd', deletionTimestamp: '2026-01-01T00:00:00Z' }
  const status = { sourceHydrator: { currentOperation: { phase: 'Hydrated' } } }
  assert.match(applicationTable([{ metadata, status }]), / Hydrated \(deleting\) /)
})
