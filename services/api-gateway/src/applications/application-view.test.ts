import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseApplication } from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { branchRecord, sampleApplication } from '../gateway-fixture.ts'
import { branchKeyOf, readBranches, viewApplication } from './application-view.ts'

const drySha = 'd'.repeat(40)

function marked(application: Resource): Resource {
  const sourceHydrator = parseApplication(application).hydrated
  return { ...application, status: { sourceHydrator: { lastSuccessfulOperation: { sourceHydrator } } } }
}

test('an Application and the record of its branch make the status of Argo CD, in place of the stored one', () => {
  const application = sampleApplication('web')
  const branches = readBranches([branchRecord(application, drySha)])
  const view = viewApplication(marked(application), branches)
  const { sourceHydrator } = application.spec ?? {}
  assert.deepEqual(view, {
    ...application,
    status: {
      sourceHydrator: {
        currentOperation: {
          startedAt: '2026-08-20T10:00:00Z',
          finishedAt: '2026-08-20T10:00:05Z',
          phase: 'Hydrated',
          message: '',
          drySHA: drySha,
          hydratedSHA: 'b'.repeat(40),
          sourceHydrator,
        },
        lastSuccessfulOperation: { drySHA: drySha, hydratedSHA: 'b'.repeat(40), sourceHydrator },
        lastComparedDryRevision: drySha,
      },
    },
  })
})

test('the record of another branch is not shown', () => {
  const application = sampleApplication('web')
  const other = sampleApplication('web', {
    sourceHydrator: { hydrateTo: { targetBranch: 'environments/prod-next' } },
  })
  assert.notEqual(branchKeyOf(parseApplication(application)), branchKeyOf(parseApplication(other)))
  const view = viewApplication(marked(other), readBranches([branchRecord(application, drySha)]))
  assert.deepEqual(view.status, { sourceHydrator: {} })
})

test('what others keep in the status is shown beside the hydration', () => {
  const application = { ...sampleApplication('web'), status: { sync: { status: 'Synced' } } }
  assert.deepEqual(viewApplication(application, new Map()).status, {
    sync: { status: 'Synced' },
    sourceHydrator: {},
  })
})

test('an Application that is not hydrated has no branch and no status', () => {
  const application = sampleApplication('web')
  application.spec = { destination: {}, source: { repoURL: 'https://git.example.com/x.git' } }
  assert.equal(branchKeyOf(parseApplication(application)), undefined)
  const branches = readBranches([branchRecord(sampleApplication('web'), drySha)])
  assert.deepEqual(viewApplication(application, branches), application)
  assert.ok(!('status' in viewApplication({ ...application, status: {} }, branches)))
})
