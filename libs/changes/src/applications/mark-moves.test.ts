import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
  ApplicationNameSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { markMoves } from './mark-moves.ts'
import { addPortion, portionsOf } from './portions.ts'
import { shownChanges } from './shown-changes.ts'
import { summarize } from './summary.ts'

function application(
  name: string,
  change: string,
  more: { destination?: string; path?: string } = {},
): ApplicationChanges {
  const identity = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
  const [before, after] = change === 'removed' ? ['old\n', ''] : ['', 'new\n']
  return create(ApplicationChangesSchema, {
    namespace: 'argocd',
    name,
    branch: 'environments/prod',
    path: name,
    destination: 'prod',
    outcome: 'changed',
    ...more,
    objects: [{ change, identity, before, after }],
  })
}

test('an object that another application has now is moved, and counts once', () => {
  const applications = [application('from', 'removed'), application('to', 'created')]
  markMoves(applications)
  const [from, to] = applications.map(({ objects }) => objects[0])
  assert.deepEqual(
    [from?.change, from?.movedTo?.name, to?.change, to?.movedFrom?.name],
    ['removed', 'to', 'moved', 'from'],
  )
  assert.deepEqual([to?.before, to?.after], ['old\n', 'new\n'])
  const summary = summarize(applications, { applications: 5 })
  assert.deepEqual([summary.objectsMoved, summary.objectsRemoved, summary.objectsCreated], [1, 0, 0])
  assert.deepEqual([summary.changed, summary.unchanged, summary.branches], [2, 3, 1])
})

test('an object on another cluster, or in another application of the same directory, is not moved', () => {
  for (const [one, other] of [
    [application('from', 'removed'), application('to', 'created', { destination: 'dev' })],
    [application('from', 'removed', { path: 'shared' }), application('to', 'created', { path: 'shared' })],
  ] as const) {
    markMoves([one, other])
    assert.deepEqual([one.objects[0]?.change, other.objects[0]?.change], ['removed', 'created'])
    assert.equal(one.objects[0]?.movedTo, undefined)
  }
})

test('applications that share a directory count their objects once', () => {
  const shared = ['east', 'west'].map((name) => application(name, 'created', { path: 'shared' }))
  const summary = summarize(shared, { applications: 2 })
  assert.deepEqual([summary.changed, summary.objectsCreated], [2, 1])
})

test('an application of any size travels in portions and is whole again', () => {
  const whole = application('large', 'created')
  const [object] = whole.objects
  assert.ok(object)
  whole.objects = Array.from({ length: 40 }, () => ({ ...object, after: 'x'.repeat(100_000) }))
  whole.warnings = ['a warning']
  const portions = [...portionsOf(whole)]
  assert.ok(portions.length > 3)
  const received: ApplicationChanges[] = []
  for (const portion of portions) addPortion(received, portion)
  assert.deepEqual(received, [whole])
})

test('an Application that readers may not see is not named by others either, nor is its text shown', () => {
  const applications = [
    application('hidden', 'removed'),
    application('to', 'created'),
    application('from', 'removed', { destination: 'dev' }),
    application('hidden-too', 'created', { destination: 'dev' }),
  ]
  markMoves(applications)
  const shown = shownChanges(applications, ({ name }) => !name.startsWith('hidden'))
  assert.deepEqual(
    shown.map(({ name, objects }) => [name, objects[0]?.change, objects[0]?.before, objects[0]?.after]),
    [
      ['to', 'created', '', 'new\n'],
      ['from', 'removed', 'old\n', ''],
    ],
  )
  assert.doesNotMatch(JSON.stringify(shown), /hidden/)
  assert.equal(applications[1]?.objects[0]?.change, 'moved')
})

test('an Application with a new name is shown to those who may see it under its name of now', () => {
  const renamed = application('to', 'created')
  renamed.renamedFrom = create(ApplicationNameSchema, { namespace: 'argocd', name: 'web' })
  const applications = [application('from', 'removed'), renamed]
  markMoves(applications)
  const shownTo = (...names: string[]) =>
    shownChanges(applications, ({ name }) => names.includes(name)).map(({ name, objects }) => [
      name,
      objects[0]?.change,
      objects[0]?.movedTo?.name,
    ])
  assert.deepEqual(shownTo('from', 'web'), [
    ['from', 'removed', 'to'],
    ['to', 'moved', undefined],
  ])
  assert.deepEqual(shownTo('from', 'to'), [['from', 'removed', undefined]])
})
