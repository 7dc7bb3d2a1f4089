import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Application, parseApplication } from '@wadi/resources/application/application.ts'
import { hydratedSpecOf, sourceHydratorStatus } from './application-status.ts'
import { withoutNulls } from './same-spec.ts'
import type { GroupStatus, HydratedBranch } from './hydrated-branch.ts'

const repoURL = 'https://git.example.com/deploy.git'
const newer = 'd'.repeat(40)
const older = 'c'.repeat(40)
const hydratedSha = 'b'.repeat(40)

function application(name: string, drySource: object = {}): Application {
  return parseApplication({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      destination: {},
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: name, ...drySource },
        syncSource: { targetBranch: 'environments/prod', path: name },
      },
    },
  })
}

function specOf({ hydrated }: Application) {
  assert.ok(hydrated)
  return hydrated
}

function branch(...groups: Partial<GroupStatus>[]): HydratedBranch {
  return {
    repoUrl: repoURL,
    branch: 'environments/prod',
    project: 'default',
    status: {
      groups: groups.map((group) => ({
        repoURL,
        targetRevision: 'main',
        phase: 'Hydrated',
        message: '',
        failures: [],
        startedAt: '2026-08-20T10:00:00Z',
        ...group,
      })),
      applications: 1,
      rendered: 1,
      milliseconds: 1,
    },
  }
}

function success(drySha: string): { success: NonNullable<GroupStatus['success']> } {
  return { success: { drySha, hydratedSha, members: 'm', settings: 's', finishedAt: '2026-08-20T09:00:00Z' } }
}

const finishedAt = '2026-08-20T10:00:05Z'
const web = application('web')

test('an Application that is not hydrated has no status', () => {
  const plain = parseApplication({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'x' },
  })
  assert.equal(sourceHydratorStatus(plain, undefined, branch({})), undefined)
})

test('before the first run the status is empty', () => {
  assert.deepEqual(sourceHydratorStatus(web, undefined, undefined), {})
  assert.deepEqual(sourceHydratorStatus(web, undefined, branch()), {})
})

test('a first run that is under way has begun and has no success', () => {
  const status = sourceHydratorStatus(web, undefined, branch({ phase: 'Hydrating', drySha: newer }))
  assert.deepEqual(status, {
    currentOperation: {
      startedAt: '2026-08-20T10:00:00Z',
      phase: 'Hydrating',
      message: '',
      drySHA: newer,
      sourceHydrator: specOf(web),
    },
    lastComparedDryRevision: newer,
  })
})

test('a success has the dry and the hydrated commit and the spec that was hydrated', () => {
  const status = sourceHydratorStatus(
    web,
    specOf(web),
    branch({ finishedAt, drySha: newer, ...success(newer) }),
  )
  assert.deepEqual(status, {
    currentOperation: {
      startedAt: '2026-08-20T10:00:00Z',
      finishedAt,
      phase: 'Hydrated',
      message: '',
      drySHA: newer,
      hydratedSHA: hydratedSha,
      sourceHydrator: specOf(web),
    },
    lastSuccessfulOperation: { drySHA: newer, hydratedSHA: hydratedSha, sourceHydrator: specOf(web) },
    lastComparedDryRevision: newer,
  })
})

test('the previous success is kept while a run is under way and after one failed', () => {
  for (const phase of ['Hydrating', 'Failed'] as const) {
    const record = branch({ phase, drySha: newer, message: 'no', ...success(older) })
    const status = sourceHydratorStatus(web, specOf(web), record)
    assert.deepEqual(status?.lastSuccessfulOperation?.drySHA, older, phase)
    assert.equal(status?.currentOperation?.drySHA, newer)
    assert.ok(status?.currentOperation && !('hydratedSHA' in status.currentOperation))
  }
})

test('a failed member shows its own error, and the others name that member', () => {
  const api = application('api')
  const record = branch({
    phase: 'Failed',
    finishedAt,
    drySha: newer,
    failures: [{ application: 'argocd/api', message: 'api/values.yaml:3: not a map' }],
  })
  const message = (of: Application) => sourceHydratorStatus(of, specOf(of), record)?.currentOperation?.message
  assert.equal(message(api), 'Failed to hydrate: api/values.yaml:3: not a map')
  assert.equal(message(web), 'Failed to hydrate: cannot hydrate because application argocd/api has an error')
})

test('with several failed members the others see the first by name and how many more there are', () => {
  const failures = ['argocd/zoo', 'argocd/api', 'argocd/job'].map((name) => ({
    application: name,
    message: name,
  }))
  const status = sourceHydratorStatus(web, specOf(web), branch({ phase: 'Failed', failures }))
  assert.equal(
    status?.currentOperation?.message,
    'Failed to hydrate: cannot hydrate because application argocd/api and 2 more have errors',
  )
})

test('every member shows an error of the whole group', () => {
  const record = branch({ phase: 'Failed', finishedAt, message: 'the push was refused' })
  const status = sourceHydratorStatus(web, undefined, record)
  assert.equal(status?.currentOperation?.message, 'Failed to hydrate: the push was refused')
  assert.ok(status && !('lastComparedDryRevision' in status))
})

test('a success under another spec is not an operation of the present one, but it is the last success', () => {
  const before = application('web', { path: 'old' })
  const record = branch({ finishedAt, drySha: newer, ...success(newer) })
  assert.deepEqual(sourceHydratorStatus(web, specOf(before), record), {
    lastSuccessfulOperation: { drySHA: newer, hydratedSHA: hydratedSha, sourceHydrator: specOf(before) },
  })
})

test('an Application that no run has hydrated yet does not take part in the success of its group', () => {
  const record = branch({ finishedAt, drySha: newer, ...success(newer) })
  assert.deepEqual(sourceHydratorStatus(web, undefined, record), {})
})

test('a failure and a run under way are shown under a changed spec too', () => {
  const before = application('web', { path: 'old' })
  for (const phase of ['Hydrating', 'Failed'] as const) {
    const status = sourceHydratorStatus(web, specOf(before), branch({ phase, message: 'no' }))
    assert.equal(status?.currentOperation?.phase, phase)
    assert.deepEqual(status?.currentOperation?.sourceHydrator, specOf(web))
  }
})

test('the order of keys in a spec does not make it another', () => {
  const { drySource, syncSource } = specOf(web)
  const { repoURL: url, ...rest } = drySource
  const reordered = { syncSource, drySource: { ...rest, repoURL: url } }
  const record = branch({ finishedAt, drySha: newer, ...success(newer) })
  assert.equal(sourceHydratorStatus(web, reordered, record)?.currentOperation?.phase, 'Hydrated')
})

test('a value that a merge patch cannot store does not make a spec another', () => {
  const drySource = { ...specOf(web).drySource, helm: { valuesObject: { a: null, b: [null, { c: null }] } } }
  assert.deepEqual(withoutNulls(drySource.helm), { valuesObject: { b: [null, {}] } })
  const values = application('web', drySource)
  const stored = { ...specOf(values), drySource: { ...drySource, helm: { valuesObject: { b: [null, {}] } } } }
  const record = branch({ finishedAt, drySha: newer, ...success(newer) })
  assert.equal(sourceHydratorStatus(values, stored, record)?.currentOperation?.phase, 'Hydrated')
})

test('the spec that was hydrated is read where Argo CD keeps it, and anything else there is none', () => {
  const spec = specOf(web)
  const statusWith = (sourceHydrator: unknown) => ({
    sourceHydrator: { lastSuccessfulOperation: { sourceHydrator } },
  })
  assert.deepEqual(hydratedSpecOf(statusWith(spec)), spec)
  for (const other of [undefined, null, 'x', [], {}, { drySource: {}, syncSource: 'x' }]) {
    assert.equal(hydratedSpecOf(statusWith(other)), undefined)
  }
  assert.equal(hydratedSpecOf({ sourceHydrator: 'x' }), undefined)
  assert.equal(hydratedSpecOf(undefined), undefined)
})

test('the group is the one of the dry repository, in any spelling, and of the revision', () => {
  const record = branch(
    { targetRevision: 'v1', drySha: older },
    { repoURL: 'https://git.example.com/other', drySha: older },
    { repoURL: 'HTTPS://git.example.com/deploy', phase: 'Failed', message: 'this one', drySha: newer },
  )
  const status = sourceHydratorStatus(web, undefined, record)
  assert.equal(status?.currentOperation?.message, 'Failed to hydrate: this one')
})

test('warnings are those of the present spec', () => {
  const record = branch({ drySha: newer, ...success(newer) })
  assert.ok(!('warnings' in (sourceHydratorStatus(web, specOf(web), record) ?? {})))
  const warnings = [
    { application: 'argocd/other', warnings: ['c'] },
    { application: 'argocd/web', warnings: ['a', 'b'] },
  ]
  const warned = branch({ drySha: newer, success: { ...success(newer).success, warnings } })
  assert.deepEqual(sourceHydratorStatus(web, specOf(web), warned)?.warnings, ['a', 'b'])
  const before = application('web', { path: 'old' })
  assert.ok(!('warnings' in (sourceHydratorStatus(web, specOf(before), warned) ?? {})))
})

test('an Application is rendered as the record says of it, or of all that it does not name, under the spec of the record', () => {
  const helm = { renderers: ['helm'], tools: ['helm v4.1.4'] }
  const plain = { renderers: ['directory'], tools: [] }
  const renderedBy = [helm, { ...plain, applications: ['argocd/api'] }]
  const record = branch({ success: { ...success(newer).success, renderedBy } })
  const of = (name: string, spec = specOf(application(name))) =>
    sourceHydratorStatus(application(name), spec, record)?.renderedBy
  assert.deepEqual([of('web'), of('api')], [helm, plain])
  assert.equal(of('web', specOf(application('web', { path: 'other' }))), undefined)
  assert.equal(sourceHydratorStatus(web, specOf(web), branch(success(newer)))?.renderedBy, undefined)
  const unknown = branch({
    success: { ...success(newer).success, renderedBy: [{ renderers: [], tools: [] }] },
  })
  assert.equal(sourceHydratorStatus(web, specOf(web), unknown)?.renderedBy, undefined)
})
