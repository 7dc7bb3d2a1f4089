import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type GroupStatus,
  type HydratedBranchStatus,
  readHydratedBranch,
} from '@wadi/hydration/hydrated-branch.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { settingsDigest } from '../../operator-settings.ts'
import type { ObservedGroup } from '../branch-run.ts'
import { reportEnd, reportStart } from './report.ts'
import type { RunInProgress } from '../run-outcome.ts'
import { application, repoURL, type RunFixture, startRunFixture } from '../run-fixture.ts'

const drySha = '1'.repeat(40)
const hydratedSha = 'a'.repeat(40)

async function record(fixture: RunFixture, { run }: RunInProgress): Promise<HydratedBranchStatus> {
  const stored = await fixture.store.get('HydratedBranch', 'argocd', run.key)
  assert.ok(stored)
  return readHydratedBranch(stored).status
}

async function startRun(
  fixture: RunFixture,
  before?: GroupStatus,
): Promise<RunInProgress & { group: ObservedGroup }> {
  const { run, outcome } = await fixture.run({
    observed: { drySha, startedAt: '2024-03-27T10:32:04Z', before },
  })
  const [group] = run.groups
  assert.ok(group)
  return { run, outcome, group }
}

test('a run is recorded as hydrating, then with what it did', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'), application('b'))
  const { run, outcome, group } = await startRun(fixture)
  await reportStart(fixture.context, { run, outcome })
  const started = {
    repoURL,
    targetRevision: 'main',
    message: '',
    failures: [],
    startedAt: group.startedAt,
    drySha,
  }
  assert.deepEqual(await record(fixture, { run, outcome }), {
    groups: [{ ...started, phase: 'Hydrating' }],
    applications: 2,
    rendered: 0,
    milliseconds: 0,
  })
  outcome.landed.push({
    group,
    drySha,
    hydratedSha,
    rebuiltFrom: undefined,
    anonymous: false,
    proof: undefined,
  })
  outcome.rendered = 2
  await reportEnd(fixture.context, { run, outcome, milliseconds: 17 })
  const { groups, ...rest } = await record(fixture, { run, outcome })
  assert.deepEqual(rest, { applications: 2, rendered: 2, milliseconds: 17, head: run.position.headSha })
  const { finishedAt, success, ...entry } = groups[0] ?? {}
  assert.deepEqual(entry, { ...started, phase: 'Hydrated' })
  assert.deepEqual(success, {
    drySha,
    hydratedSha,
    members: group.digest,
    settings: settingsDigest(run.settings, run.renderers),
    finishedAt,
  })
})

test('a failure keeps the last success and marks nobody', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const success = { drySha: '0'.repeat(40), hydratedSha, members: 'm', settings: 's', finishedAt: 't' }
  const { run, outcome, group } = await startRun(fixture, {
    repoURL,
    targetRevision: 'main',
    phase: 'Hydrated',
    message: '',
    failures: [],
    startedAt: '',
    success,
  })
  outcome.failures.set(group, {
    message: '',
    failures: [{ application: 'argocd/a', message: 'no chart' }],
  })
  await reportStart(fixture.context, { run, outcome })
  await reportEnd(fixture.context, { run, outcome, milliseconds: 1 })
  const [entry] = (await record(fixture, { run, outcome })).groups
  assert.equal(entry?.phase, 'Failed')
  assert.deepEqual(entry?.failures, [{ application: 'argocd/a', message: 'no chart' }])
  assert.deepEqual(entry?.success, success)
  const stored = await fixture.store.get('Application', 'argocd', 'a')
  assert.equal(stored?.status, undefined)
})

test('a run that writes again what is gone records at its start that later ones have no head to compare with', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const { run, outcome } = await startRun(fixture)
  const before = { groups: [], applications: 1, rendered: 0, milliseconds: 0, head: hydratedSha }
  const restarted = { run: { ...run, before }, outcome }
  await reportStart(fixture.context, restarted)
  assert.equal((await record(fixture, restarted)).head, hydratedSha)
  outcome.isHeadGone = true
  await reportStart(fixture.context, restarted)
  assert.equal((await record(fixture, restarted)).head, '')
})

test('an Application is marked with its spec once, and its warnings are in the record', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const { run, outcome } = await startRun(fixture)
  outcome.warnings.set('argocd/a', ['options are not in git', 'x'.repeat(1_000)])
  await reportEnd(fixture.context, { run, outcome, milliseconds: 1 })
  const first = await fixture.store.get('Application', 'argocd', 'a')
  const sourceHydrator = first?.spec?.['sourceHydrator']
  assert.deepEqual(first?.status, { sourceHydrator: { lastSuccessfulOperation: { sourceHydrator } } })
  const { warnings } = (await record(fixture, { run, outcome })).groups[0]?.success ?? {}
  const shown = warnings?.map((entry) => [entry.application, ...entry.warnings.map(({ length }) => length)])
  assert.deepEqual(shown, [['argocd/a', 22, 501]])
  await fixture.reload()
  const next = await startRun(fixture)
  await reportEnd(fixture.context, { ...next, milliseconds: 1 })
  const second = await fixture.store.get('Application', 'argocd', 'a')
  assert.equal(second?.metadata.resourceVersion, first?.metadata.resourceVersion)
  assert.equal((await record(fixture, next)).groups[0]?.success?.warnings, undefined)
})

test('with operations, what a run did is in the status of its Applications, a failure over the last success', async () => {
  await using fixture = await startRunFixture({}, { operations: true, yieldsToArgoCd: false })
  await fixture.add(application('a'))
  const statusOf = async () => (await fixture.store.get('Application', 'argocd', 'a'))?.status
  const { run, outcome, group } = await startRun(fixture)
  outcome.landed.push({
    group,
    drySha,
    hydratedSha,
    rebuiltFrom: undefined,
    anonymous: false,
    proof: undefined,
  })
  await reportEnd(fixture.context, { run, outcome, milliseconds: 1 })
  const sourceHydrator = group.members[0]?.spec
  const { groups } = await record(fixture, { run, outcome })
  const { finishedAt } = groups[0] ?? {}
  const lastSuccessfulOperation = { drySHA: drySha, hydratedSHA: hydratedSha, sourceHydrator }
  const operation = { startedAt: group.startedAt, drySHA: drySha, sourceHydrator }
  const currentOperation = {
    ...operation,
    finishedAt,
    phase: 'Hydrated',
    message: '',
    hydratedSHA: hydratedSha,
  }
  assert.deepEqual(await statusOf(), { sourceHydrator: { currentOperation, lastSuccessfulOperation } })

  await fixture.reload()
  const again = await startRun(fixture, groups[0])
  again.outcome.failures.set(again.group, { message: 'no access', failures: [] })
  await reportEnd(fixture.context, { ...again, milliseconds: 1 })
  const failed = await record(fixture, again)
  const message = 'Failed to hydrate: no access'
  assert.deepEqual(await statusOf(), {
    sourceHydrator: {
      currentOperation: { ...operation, finishedAt: failed.groups[0]?.finishedAt, phase: 'Failed', message },
      lastSuccessfulOperation,
    },
  })
  const version = async () =>
    (await fixture.store.get('Application', 'argocd', 'a'))?.metadata.resourceVersion
  const before = await version()
  await fixture.reload()
  const repeated = await startRun(fixture, failed.groups[0])
  repeated.outcome.failures.set(repeated.group, { message: 'no access', failures: [] })
  await reportEnd(fixture.context, { ...repeated, milliseconds: 1 })
  assert.equal(await version(), before, 'the same failure again is no news')
})

test('the request that a run served is dropped, also after a failure; a newer one and other annotations stay', async () => {
  for (const failed of [false, true]) {
    await using fixture = await startRunFixture()
    const annotations = { 'argocd.argoproj.io/hydrate': 'normal', note: 'x' }
    await fixture.add(application('a', { annotations }), application('b', { annotations }))
    const { run, outcome, group } = await startRun(fixture)
    if (failed) outcome.failures.set(group, { message: 'no access', failures: [] })
    await mutate(fixture.store, 'Application', 'argocd', 'b', (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'argocd.argoproj.io/hydrate': 'hard' } },
    }))
    await reportEnd(fixture.context, { run, outcome, milliseconds: 1 })
    const annotationsOf = async (name: string) =>
      (await fixture.store.get('Application', 'argocd', name))?.metadata.annotations
    assert.deepEqual(await annotationsOf('a'), { note: 'x' })
    assert.deepEqual(await annotationsOf('b'), { 'argocd.argoproj.io/hydrate': 'hard' })
  }
})

test('a second request of the same kind during a run stays, and what belongs to a served one goes with it', async () => {
  const hydrate = 'argocd.argoproj.io/hydrate'
  const refresh = 'argocd.argoproj.io/refresh'
  for (const kind of ['normal', 'hard']) {
    await using fixture = await startRunFixture()
    const first = { [hydrate]: kind, [`${hydrate}-timestamp`]: '2026-01-01T00:00:00.000000001Z', note: 'x' }
    const both = { ...first, [refresh]: kind, [`${refresh}-timestamp`]: '2026-01-01T00:00:00.000000001Z' }
    await fixture.add(
      application('a', { annotations: both }),
      application('b', { annotations: first }),
      application('c', { annotations: first }),
    )
    const { run, outcome } = await startRun(fixture)
    const meanwhile = async (name: string, annotations: Record<string, string>): Promise<void> => {
      await mutate(fixture.store, 'Application', 'argocd', name, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations },
      }))
    }
    const second = { ...first, [`${hydrate}-timestamp`]: '2026-01-01T00:00:00.000000002Z' }
    await meanwhile('b', second)
    await meanwhile('c', both)
    await reportEnd(fixture.context, { run, outcome, milliseconds: 1 })
    const annotationsOf = async (name: string) =>
      (await fixture.store.get('Application', 'argocd', name))?.metadata.annotations
    assert.deepEqual(await annotationsOf('a'), { note: 'x' })
    assert.deepEqual(await annotationsOf('b'), second)
    assert.deepEqual(await annotationsOf('c'), both)
  }
})

test('an Application that was deleted meanwhile does not keep the run from being recorded', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a', { annotations: { 'argocd.argoproj.io/hydrate': 'normal' } }))
  const { run, outcome } = await startRun(fixture)
  await fixture.store.delete('Application', 'argocd', 'a')
  await reportEnd(fixture.context, { run, outcome, milliseconds: 1 })
  assert.equal((await record(fixture, { run, outcome })).groups[0]?.phase, 'Hydrated')
})
