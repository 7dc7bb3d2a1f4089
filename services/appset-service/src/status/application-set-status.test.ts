import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import type { PlannedChange } from '../changes/plan-application-changes.ts'
import { type SetOutcome, statusAfter } from './application-set-status.ts'
import { conditionsOf } from '../access/author.ts'

const first = new Date('2026-08-20T10:00:00.123Z')
const later = new Date('2026-08-20T11:00:00Z')

function application(name: string): Resource {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name, namespace: 'argocd' } }
}

function made(names: string[], kept: string[] = [], withheld = ''): SetOutcome {
  const changes = [
    ...names.map((name): PlannedChange => ({ action: 'unchanged', name })),
    ...kept.map((name): PlannedChange => ({ action: 'keep', name, before: application(name) })),
  ]
  return { applications: names.map(application), changes, withheld }
}

const reason = 'ApplicationSetUpToDate'
const text = 'All applications have been generated successfully'

test('a set that is up to date has the conditions, the health and the resources of Argo CD', () => {
  const lastTransitionTime = '2026-08-20T10:00:00Z'
  const resource = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd' }
  assert.deepEqual(statusAfter(undefined, made(['b', 'a']), first), {
    conditions: [
      { type: 'ErrorOccurred', status: 'False', reason, message: text, lastTransitionTime },
      {
        type: 'ParametersGenerated',
        status: 'True',
        reason: 'ParametersGenerated',
        message: 'Successfully generated parameters for all Applications',
        lastTransitionTime,
      },
      { type: 'ResourcesUpToDate', status: 'True', reason, message: text, lastTransitionTime },
    ],
    health: { status: 'Healthy' },
    resources: [
      { ...resource, name: 'a' },
      { ...resource, name: 'b' },
    ],
    resourcesCount: 2,
  })
})

test('the same outcome makes the same status at any time, and keeps what others own of it', () => {
  const author = {
    type: 'Authorized',
    status: 'True',
    reason: 'Checked',
    message: '{}',
    lastTransitionTime: 'x',
  }
  const before = statusAfter({ conditions: [author], byOthers: 1 }, made(['a']), first)
  assert.deepEqual([conditionsOf(before)[0], before['byOthers']], [author, 1])
  assert.deepEqual(statusAfter(before, made(['a']), later), before)
})

test('the time of a condition moves when its message does, and that of the others stays', () => {
  const before = statusAfter(undefined, { reason: 'ErrorOccurred', message: 'one' }, first)
  const after = statusAfter(before, made(['a'], ['b']), later)
  const times = (status: Record<string, unknown>) =>
    (status['conditions'] as { type: string; lastTransitionTime: string }[]).map(
      ({ type, lastTransitionTime }) => `${type} ${lastTransitionTime.slice(11, 13)}`,
    )
  assert.deepEqual(times(after), ['ErrorOccurred 11', 'ParametersGenerated 11', 'ResourcesUpToDate 11'])
  const again = statusAfter(after, made(['a']), new Date('2026-08-20T12:00:00Z'))
  assert.deepEqual(times(again), ['ErrorOccurred 11', 'ParametersGenerated 11', 'ResourcesUpToDate 12'])
})

test('a failure is reported in each condition, degrades the set and leaves its resources', () => {
  const before = statusAfter(undefined, made(['a']), first)
  const after = statusAfter(before, { reason: 'ApplicationGenerationFromParamsError', message: 'why' }, later)
  const conditions = after['conditions'] as Record<string, string>[]
  assert.deepEqual(
    conditions.map(({ type, status, reason: why, message }) => [type, status, why, message].join()),
    [
      'ErrorOccurred,True,ApplicationGenerationFromParamsError,why',
      'ParametersGenerated,False,ErrorOccurred,why',
      'ResourcesUpToDate,False,ApplicationGenerationFromParamsError,why',
    ],
  )
  assert.deepEqual(after['health'], { status: 'Degraded', message: 'why' })
  assert.deepEqual(after['resources'], before['resources'])
})

test('withheld deletions are a condition of their own, and the Applications stay listed', () => {
  const after = statusAfter(undefined, made(['a'], ['b', 'c'], '2 of 3 stay'), first)
  const [withheld] = after['conditions'] as Record<string, string>[]
  assert.deepEqual([withheld?.['type'], withheld?.['message']], ['DeletionsWithheld', '2 of 3 stay'])
  assert.equal(after['resourcesCount'], 3)
  assert.equal((statusAfter(after, made(['a']), later)['conditions'] as unknown[]).length, 3)
})

test('no more than 5,000 Applications are listed, and all are counted', () => {
  const names = Array.from({ length: 5_001 }, (_, index) => `app-${String(index).padStart(5, '0')}`)
  const status = statusAfter(undefined, made(names), first)
  assert.equal((status['resources'] as unknown[]).length, 5_000)
  assert.equal(status['resourcesCount'], 5_001)
})

test('a message is cut at 4,000 characters', () => {
  const status = statusAfter(undefined, { reason: 'ErrorOccurred', message: 'x'.repeat(9_000) }, first)
  assert.equal((status['health'] as { message: string }).message.length, 4_001)
})
