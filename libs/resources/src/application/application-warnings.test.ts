import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationWarnings } from './application-warnings.ts'

const sourceHydrator = { drySource: {}, syncSource: { targetBranch: 'env/dev' } }

test('what the tool that syncs gives a meaning to is nothing to warn of', () => {
  const spec = {
    project: 'x',
    destination: {},
    sourceHydrator,
    syncPolicy: { automated: {} },
    ignoreDifferences: [{}],
    info: [{}],
    revisionHistoryLimit: 3,
  }
  const metadata = { annotations: { 'wadi.dev/lineage': 'every', 'example.com/x': 'y' } }
  assert.deepEqual(applicationWarnings({ apiVersion: 'v', kind: 'k', metadata, spec, status: {} }), [])
})

test('what has no effect is named with what was meant', () => {
  const metadata = { annotations: { 'wadi.dev/lineag': 'every', 'wadi.dev/other': '' } }
  const spec = { sourceHydrator, syncPolcy: {}, other: 1 }
  assert.deepEqual(applicationWarnings({ metadata, spec, operation: { sync: {} }, data: {} }), [
    'data is stored but not applied: Application has no such field',
    'spec.syncPolcy is stored but not applied: did you mean spec.syncPolicy?',
    'spec.other is stored but not applied: Application has no such field',
    'annotation wadi.dev/lineag is stored but not applied: did you mean annotation wadi.dev/lineage?',
    'annotation wadi.dev/other is stored but not applied: Wadi reads no such annotation',
    'operation is not stored: Wadi starts no sync; what deploys the hydrated branch does',
  ])
})

test('an Application that is not hydrated, and a staging branch that is none, are named', () => {
  assert.deepEqual(applicationWarnings({ spec: { source: {} } }), [
    'spec.sourceHydrator is missing: the Application is stored but not hydrated',
  ])
  const [warning] = applicationWarnings({
    spec: { sourceHydrator: { ...sourceHydrator, hydrateTo: { targetBranch: 'env/dev' } } },
  })
  assert.match(warning ?? '', /^spec\.sourceHydrator\.hydrateTo is not applied/)
})
