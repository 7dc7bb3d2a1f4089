import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, toJson } from '@bufbuild/protobuf'
import { ApplicationStatusSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_status_pb.ts'
import { sampleApplication } from '../gateway-fixture.ts'
import { toStruct } from '../applications/read-application.ts'
import { applicationOnTheWire } from './application-on-the-wire.ts'

const finishedAt = '2026-08-20T10:00:05Z'

/** The state that clients are shown of an Application with this `status.sourceHydrator`. */
function shownState(
  sourceHydrator: JsonObject,
  { status, ...view }: JsonObject = toStruct(sampleApplication('web')),
) {
  const stored = { ...(status as JsonObject | undefined), sourceHydrator }
  const { status: shown } = applicationOnTheWire({ ...view, status: stored })
  return {
    sync: shown?.sync?.status,
    revision: shown?.sync?.revision,
    health: shown?.health?.status,
    conditions: shown?.conditions.map(({ type, message }) => `${type}: ${message}`),
  }
}

test('the sync status says whether the branch holds the newest dry commit', () => {
  const success = { lastSuccessfulOperation: { drySHA: 'd', hydratedSHA: 'b' } }
  const operation = (phase: string, message = '') => ({
    ...success,
    currentOperation: { phase, message, startedAt: finishedAt, finishedAt },
  })
  const state = { revision: 'b', health: 'Unknown', conditions: [] }
  assert.deepEqual(shownState({}), { ...state, sync: 'Unknown', revision: '' })
  assert.deepEqual(shownState(operation('Hydrated')), { ...state, sync: 'Synced' })
  assert.deepEqual(shownState(operation('Hydrating')), { ...state, sync: 'OutOfSync' })
  assert.deepEqual(shownState(operation('Failed', 'no such path')), {
    ...state,
    sync: 'OutOfSync',
    conditions: ['HydrationError: no such path'],
  })
  assert.deepEqual(
    shownState({ ...operation('Hydrated'), foreignChange: { message: 'branch x was deleted' } }),
    { ...state, sync: 'OutOfSync', conditions: ['ForeignChangeWarning: branch x was deleted'] },
  )
})

test('the commit of a staging branch is not shown as that of the branch that is applied', () => {
  const staged = sampleApplication('web', { sourceHydrator: { hydrateTo: { targetBranch: 'next' } } })
  const status = { lastSuccessfulOperation: { drySHA: 'd', hydratedSHA: 'b' } }
  assert.equal(shownState(status, toStruct(staged)).revision, '')
})

test('warnings are conditions, and an Application that is not hydrated has one too', () => {
  assert.deepEqual(shownState({ warnings: ['helm options are not in git'] }).conditions, [
    'HydrationWarning: helm options are not in git',
  ])
  const plain = toStruct({ ...sampleApplication('web'), spec: { destination: {}, source: {} } })
  const { status, spec } = applicationOnTheWire(plain)
  assert.match(status?.conditions[0]?.message ?? '', /^spec\.sourceHydrator is missing/)
  assert.equal(spec?.project, 'default')
})

test('what another tool keeps in the status is passed on', () => {
  const conditions = [{ type: 'SyncError', message: 'no rights' }]
  const status = { sync: { status: 'OutOfSync', revision: 'r' }, health: { status: 'Healthy' }, conditions }
  assert.deepEqual(shownState({ warnings: ['a'] }, { ...toStruct(sampleApplication('web')), status }), {
    sync: 'OutOfSync',
    revision: 'r',
    health: 'Healthy',
    conditions: ['SyncError: no rights', 'HydrationWarning: a'],
  })
})

test('the history is that of the hydrated branch, with its times', () => {
  const history = [{ id: 0, revision: 'b', deployedAt: finishedAt, source: { repoURL: 'u', path: 'web' } }]
  const { status } = applicationOnTheWire(toStruct(sampleApplication('web')), { history })
  assert.ok(status)
  assert.deepEqual((toJson(ApplicationStatusSchema, status) as JsonObject)['history'], [
    {
      id: '0',
      revision: 'b',
      deployedAt: { seconds: '1787220005', nanos: 0 },
      source: { repoURL: 'u', path: 'web' },
    },
  ])
})
