import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { refreshAnnotation } from '@wadi/resources/decided-version.ts'
import type { AppsetServiceContext } from '../context.ts'
import { repoURL } from '@wadi/application-sets/generator-fixture.ts'
import { until } from '@wadi/testing/until.ts'
import { listSet, setOf, templateOf } from '../routes/users-fixture.ts'
import { conditionOf, gitSet, type ReconcileFixture, startReconcileFixture } from './reconcile-fixture.ts'
import { GeneratorInputCache } from './generator-input-cache.ts'
import { startReconciler } from './reconciler.ts'

const pace = { quietMs: 5, firstRetryMs: 20, maxRetryMs: 80 }

/** The state of a service that was just started: it has received nothing. */
function restarted({ context }: ReconcileFixture): AppsetServiceContext {
  return { ...context, inputCache: new GeneratorInputCache(10_000) }
}

/** Waits until these are the names of all Applications. */
async function untilNames(fixture: ReconcileFixture, ...names: string[]): Promise<void> {
  await until(async () => (await fixture.names()).join() === names.join())
}

/** Waits until a pass wrote its outcome into the status of the set. */
async function untilReported(fixture: ReconcileFixture, condition: RegExp): Promise<void> {
  await until(async () => condition.test((await fixture.condition('ErrorOccurred')) ?? ''))
}

test('an Application that somebody deletes or changes is made again', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  await using _ = startReconciler(fixture.context, pace)
  await untilReported(fixture, /^False/)
  await store.delete('Application', 'argocd', 'a')
  await untilNames(fixture, 'a', 'b')
  await mutate(store, 'Application', 'argocd', 'b', (application) => ({
    ...application,
    spec: { ...application.spec, revisionHistoryLimit: 3 },
  }))
  await until(async () => {
    return (await store.get('Application', 'argocd', 'b'))?.spec?.['revisionHistoryLimit'] === undefined
  })
})

test('an Application that somebody moved to a project beyond the rights of the author stays there', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  await mutate(store, 'Application', 'argocd', 'b', (application) => ({
    ...application,
    spec: { ...application.spec, project: 'prod' },
  }))
  await using _ = startReconciler(fixture.context, pace)
  await untilReported(fixture, /^True ApplicationValidationError: permission denied/)
  assert.equal((await store.get('Application', 'argocd', 'b'))?.spec?.['project'], 'prod')
})

test('what happened while nobody looked is found at the start', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  {
    await using _ = startReconciler(fixture.context, pace)
    await untilReported(fixture, /^False/)
  }
  await store.delete('Application', 'argocd', 'a')
  fixture.commit('c1', 'a', 'b', 'c')
  await using _ = startReconciler(restarted(fixture), pace)
  await untilNames(fixture, 'a', 'b', 'c')
})

test('a push to a repository reaches the sets that read it, nested and rendered ones too, and no others', async () => {
  await using fixture = await startReconcileFixture()
  const anna = fixture.as('anna')
  const nested = {
    matrix: {
      generators: [
        { list: { elements: [{ repository: 'apps' }] } },
        {
          git: {
            repoURL: 'https://git.example.com/team/{{repository}}.git',
            revision: 'HEAD',
            directories: [{ path: 'apps/*' }],
          },
        },
      ],
    },
  }
  await anna.apply(gitSet({ name: 'plain' }))
  await anna.apply(
    setOf(
      { generators: [nested], template: templateOf('nested-{{path.basename}}', 'dev') },
      { name: 'nested' },
    ),
  )
  await anna.apply(listSet(['listed'], { name: 'listed' }))
  await using reconciler = startReconciler(fixture.context, pace)
  // How many sets read it is known when each had a pass.
  await until(() => reconciler.refreshRepository(repoURL) === 2)
  fixture.commit('c1', 'a', 'c')
  assert.equal(reconciler.refreshRepository('git@git.example.com:team/other.git'), 0)
  assert.equal(reconciler.refreshRepository('https://GIT.example.com/team/apps'), 2)
  await untilNames(fixture, 'a', 'c', 'listed', 'nested-a', 'nested-c')
})

test('a hundred sets of one repository ask it once in each interval', async () => {
  await using fixture = await startReconcileFixture()
  const { calls } = fixture.generation
  const anna = fixture.as('anna')
  for (let number = 0; number < 100; number++) {
    const template = templateOf(`{{path.basename}}-${number}`, 'dev')
    await anna.apply(gitSet({ name: `set-${number}` }, { template, git: { requeueAfterSeconds: 2 } }))
  }
  calls.length = 0
  const startedAt = performance.now()
  /** Returns the number of requests to the repository, which is one in each interval that began. */
  const resolved = () => {
    const asked = calls.filter((call) => call.startsWith('resolve')).length
    const intervals = 1 + Math.floor((performance.now() - startedAt) / 2_000)
    assert.ok(asked <= intervals, `${asked} in ${intervals} intervals`)
    return asked
  }
  await using _ = startReconciler(restarted(fixture), pace)
  await until(async () => {
    const { items } = await fixture.generation.store.list('ApplicationSet')
    return items.every((item) => conditionOf(item, 'ErrorOccurred')?.startsWith('False'))
  })
  const before = resolved()
  assert.ok(before >= 1)
  fixture.commit('c1', 'a', 'b', 'c')
  await until(async () => (await fixture.names()).length === 300)
  assert.ok(resolved() > before)
  assert.ok(calls.every((call) => !call.endsWith(' now')))
})

test('something else that happens does not make a remote be asked before its time', async () => {
  await using fixture = await startReconcileFixture()
  const { store, calls } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  calls.length = 0
  await using _ = startReconciler(restarted(fixture), pace)
  await untilReported(fixture, /^False/)
  for (const name of ['a', 'b', 'a']) {
    await store.delete('Application', 'argocd', name)
    await untilNames(fixture, 'a', 'b')
  }
  assert.equal(calls.filter((call) => call.startsWith('resolve')).length, 1)
})

test('a set that fails is tried again, later each time, until it does not', async () => {
  await using fixture = await startReconcileFixture()
  const { repository } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  const failures: number[] = []
  const { events } = fixture.context
  const context = {
    ...restarted(fixture),
    events: { ...events, reconcileFailed: () => void failures.push(performance.now()) },
  }
  repository.revisions = {}
  const started = performance.now()
  await using _ = startReconciler(context, pace)
  await until(() => failures.length >= 5)
  const [, , third = 0, , fifth = 0] = failures
  assert.ok(third - started >= 20 + 40, `${third - started} ms`)
  assert.ok(fifth - started >= 20 + 40 + 80 + 80, `${fifth - started} ms`)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
  fixture.commit('c1', 'a', 'b', 'c')
  await untilNames(fixture, 'a', 'b', 'c')
})

test('a cluster that comes, changes or goes reaches the sets that clusters decide', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await fixture.generation.addCluster('dev', { labels: { env: 'dev' } })
  const clusters = { selector: { matchLabels: { env: 'dev' } } }
  await fixture
    .as('anna')
    .apply(setOf({ generators: [{ clusters }], template: templateOf('on-{{name}}', 'dev') }))
  await using _ = startReconciler(fixture.context, pace)
  await untilReported(fixture, /^False/)
  await fixture.generation.addCluster('other', { server: 'https://dev', labels: { env: 'dev' } })
  await untilNames(fixture, 'on-dev', 'on-other')
  await store.delete('Secret', 'argocd', 'cluster-other')
  await untilNames(fixture, 'on-dev')
})

test('a changed policy is obeyed at once', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  await using _ = startReconciler(fixture.context, pace)
  await untilReported(fixture, /^False/)
  await mutate(fixture.generation.store, 'ConfigMap', 'argocd', 'argocd-rbac-cm', (configMap) => ({
    ...configMap,
    data: { 'policy.csv': '' },
  }))
  await untilReported(fixture, /permission denied: repositories, get/)
  assert.deepEqual(await fixture.names(), ['a', 'b'])
})

test('the annotation that asks for a refresh is obeyed and removed', async () => {
  await using fixture = await startReconcileFixture()
  const { store } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  await using _ = startReconciler(fixture.context, pace)
  await untilReported(fixture, /^False/)
  fixture.commit('c1', 'a', 'b', 'c')
  await mutate(store, 'ApplicationSet', 'argocd', 'set', (set) => ({
    ...set,
    metadata: { ...set.metadata, annotations: { [refreshAnnotation]: 'true' } },
  }))
  await untilNames(fixture, 'a', 'b', 'c')
  await until(async () => {
    return (await fixture.set()).metadata.annotations?.[refreshAnnotation] === undefined
  })
})

test('a pass that is under way at the disposal ends without writing more', async () => {
  await using fixture = await startReconcileFixture()
  const { store, repository } = fixture.generation
  await fixture.as('anna').apply(gitSet())
  await store.delete('Application', 'argocd', 'a')
  const asked = Promise.withResolvers<void>()
  repository.revisions = {
    get HEAD() {
      asked.resolve()
      return 'c1'
    },
  }
  const reconciler = startReconciler(restarted(fixture), pace)
  await asked.promise
  await reconciler[Symbol.asyncDispose]()
  assert.deepEqual(await fixture.names(), ['b'])
  assert.equal(await fixture.condition('ErrorOccurred'), undefined)
})

test('two replicas divide the sets, and one takes over when the other is gone', async () => {
  await using fixture = await startReconcileFixture()
  await fixture.as('anna').apply(gitSet())
  const passes: string[] = []
  let present = ['first', 'second']
  const replica = (name: string): AppsetServiceContext => ({
    ...restarted(fixture),
    ownership: {
      owns: async () => {
        const isOwner = present[0] === name
        if (isOwner) passes.push(name)
        return isOwner
      },
    },
  })
  const takeOver = { ...pace, takeOverMs: 20 }
  await using first = startReconciler(replica('first'), takeOver)
  await using _ = startReconciler(replica('second'), takeOver)
  await untilReported(fixture, /^False/)
  assert.deepEqual([...new Set(passes)], ['first'])
  await first[Symbol.asyncDispose]()
  present = ['second']
  fixture.commit('2'.repeat(40), 'a', 'b', 'c')
  await untilNames(fixture, 'a', 'b', 'c')
  assert.equal(passes.at(-1), 'second')
})
