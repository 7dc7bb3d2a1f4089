import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { mutate, mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { until } from '@wadi/testing/until.ts'
import { application, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { ApplicationIndex } from './application-index.ts'

const dev = branchKey(repoURL, 'env/dev')
const prod = branchKey(repoURL, 'env/prod')

/** An index that follows a store, with what it reported so far. */
async function startFollowing() {
  await using stack = new AsyncDisposableStack()
  const fixture = stack.use(await startRunFixture())
  const reported: string[] = []
  let waiting = Promise.withResolvers<void>()
  const report = (what: string): void => {
    reported.push(what)
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  const index = new ApplicationIndex({ onChange: report, onInvalid: (name) => report(`invalid ${name}`) })
  const stop = new AbortController()
  const loaded = Promise.withResolvers<void>()
  const following = index.follow(fixture.store, stop.signal, loaded.resolve)
  await loaded.promise
  stack.defer(async () => {
    stop.abort()
    await following
  })
  let marks = 0
  const owned = stack.move()
  return {
    store: fixture.store,
    index,
    /** Returns the changes reported since the last call, once everything that was stored has arrived. */
    reported: async (): Promise<string[]> => {
      const mark = application(`mark-${marks++}`, { syncSource: { targetBranch: 'marks' } })
      await fixture.store.create(mark)
      while (index.branchOf('argocd', mark.metadata.name) === undefined) await waiting.promise
      return reported.splice(0).filter((key) => key !== branchKey(repoURL, 'marks'))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('members are reported by branch in order of their names, whatever the spelling of the repository', async () => {
  await using bed = await startFollowing()
  await bed.store.create(application('b'))
  await bed.store.create(application('a', { syncSource: { repoURL: 'https://GIT.example.com/team/apps' } }))
  await bed.store.create(application('c', { hydrateTo: { targetBranch: 'env/prod' } }))
  assert.deepEqual(await bed.reported(), [dev, dev, prod])
  assert.deepEqual(
    bed.index.members(dev).map(({ name }) => name),
    ['argocd/a', 'argocd/b'],
  )
  assert.deepEqual(
    bed.index.members(prod).map(({ name }) => name),
    ['argocd/c'],
  )
  assert.equal(bed.index.branchOf('argocd', 'c'), prod)
  assert.equal(bed.index.branchOf('team', 'c'), undefined)
})

test('what was stored before is known when loading ends', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  assert.deepEqual(fixture.context.index.branchKeys(), [dev])
  assert.equal(fixture.members()[0]?.name, 'argocd/a')
})

test('an Application that moves between branches concerns both, and a deleted one its last', async () => {
  await using bed = await startFollowing()
  await bed.store.create(application('a'))
  await bed.reported()
  const moved = application('a', { syncSource: { targetBranch: 'env/prod' } })
  await mutate(bed.store, 'Application', 'argocd', 'a', (current) => ({ ...current, spec: moved.spec ?? {} }))
  assert.deepEqual(await bed.reported(), [dev, prod])
  assert.deepEqual(bed.index.members(dev), [])
  assert.equal(bed.index.branchKeys().includes(dev), false)
  await bed.store.delete('Application', 'argocd', 'a')
  assert.deepEqual(await bed.reported(), [prod])
  assert.equal(bed.index.branchOf('argocd', 'a'), undefined)
})

test('an Application that is being deleted is hydrated no longer, though finalizers hold it', async () => {
  await using bed = await startFollowing()
  const held = application('a')
  await bed.store.create({ ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } })
  await bed.reported()
  await bed.store.delete('Application', 'argocd', 'a')
  assert.deepEqual(await bed.reported(), [dev])
  assert.deepEqual(bed.index.members(dev), [])
  assert.deepEqual([...bed.index.claimedPaths(dev)], [])
  assert.notEqual(await bed.store.get('Application', 'argocd', 'a'), undefined)
})

test('a change that decides nothing of the output concerns nobody', async () => {
  await using bed = await startFollowing()
  await bed.store.create(application('a'))
  await bed.reported()
  await mutateStatus(bed.store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    status: { health: 'Healthy' },
  }))
  await mutate(bed.store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    metadata: { ...current.metadata, labels: { team: 'x' }, annotations: { 'example.com/note': 'x' } },
  }))
  assert.deepEqual(await bed.reported(), [])
})

test('a change of spec, project, destination or an annotation that decides the output concerns the branch', async () => {
  await using bed = await startFollowing()
  await bed.store.create(application('a'))
  await bed.reported()
  const changes = [
    application('a', { drySource: { helm: { releaseName: 'x' } } }),
    application('a', { project: 'team' }),
    application('a', { destination: { name: 'in-cluster' } }),
    application('a', { annotations: { 'wadi.dev/lineage': 'every' } }),
    application('a', { annotations: { 'argocd.argoproj.io/manifest-generate-paths': '.' } }),
  ]
  for (const { spec = {}, metadata } of changes) {
    await mutate(bed.store, 'Application', 'argocd', 'a', (current) => ({
      ...current,
      spec,
      metadata: { ...current.metadata, annotations: metadata.annotations ?? {} },
    }))
    assert.deepEqual(await bed.reported(), [dev])
  }
})

test('a request is reported once, again when it is another, and its removal has no effect', async () => {
  await using bed = await startFollowing()
  await bed.store.create(application('a'))
  await bed.reported()
  const annotate = async (annotations: Record<string, string>): Promise<string[]> => {
    await mutate(bed.store, 'Application', 'argocd', 'a', (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations },
    }))
    return bed.reported()
  }
  assert.deepEqual(await annotate({ 'argocd.argoproj.io/hydrate': '' }), [dev])
  assert.equal(bed.index.members(dev)[0]?.request, 'normal')
  assert.deepEqual(await annotate({ 'argocd.argoproj.io/hydrate': 'normal', note: 'x' }), [])
  assert.deepEqual(await annotate({ 'argocd.argoproj.io/hydrate': 'hard' }), [dev])
  assert.equal(bed.index.members(dev)[0]?.request, 'hard')
  const timestamped = { 'argocd.argoproj.io/hydrate': 'hard', 'argocd.argoproj.io/hydrate-timestamp': '1' }
  assert.deepEqual(await annotate(timestamped), [dev])
  assert.deepEqual(await annotate({ ...timestamped, 'argocd.argoproj.io/refresh-timestamp': '1' }), [])
  assert.deepEqual(await annotate({}), [])
  assert.equal(bed.index.members(dev)[0]?.request, '')
})

test('an Application that cannot be read any more is reported and leaves its branch; others are not hydrated', async () => {
  await using bed = await startFollowing()
  await bed.store.create(application('a'))
  await bed.store.create({ ...application('plain'), spec: { destination: {}, source: { repoURL } } })
  await bed.reported()
  await mutate(bed.store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    spec: { ...current.spec, source: { repoURL } },
  }))
  assert.deepEqual(await bed.reported(), ['invalid argocd/a', dev])
  assert.equal(bed.index.branchOf('argocd', 'a'), undefined)
  assert.equal(bed.index.branchOf('argocd', 'plain'), undefined)
  assert.match(
    bed.index.warning() ?? '',
    /^1 cannot be read and are not hydrated; fix them, first argocd\/a: ./,
  )
  await bed.store.delete('Application', 'argocd', 'a')
  await until(() => bed.index.warning() === undefined)
})

test('the mark of the last hydration says whether the spec is still that one, whatever the order of its keys', async () => {
  await using bed = await startFollowing()
  const stored = await bed.store.create(application('a'))
  const { drySource, syncSource } = (stored.spec?.['sourceHydrator'] ?? {}) as Record<string, unknown>
  assert.equal((await bed.reported()).length, 1)
  assert.equal(bed.index.members(dev)[0]?.markedSpec, '')
  const lastSuccessfulOperation = { sourceHydrator: { syncSource, drySource } }
  await mutateStatus(bed.store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    status: { sourceHydrator: { lastSuccessfulOperation } },
  }))
  assert.deepEqual(await bed.reported(), [])
  const [member] = bed.index.members(dev)
  assert.equal(member?.markedSpec, member?.currentSpec)
})

test('what no run needs of an Application is not kept', async () => {
  await using bed = await startFollowing()
  const { metadata, ...rest } = application('big')
  const annotations = {
    'wadi.dev/prune': 'true',
    'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(10_000),
  }
  const labels = { team: 'x'.repeat(60) }
  await bed.store.create({ ...rest, metadata: { ...metadata, annotations, labels } })
  await bed.reported()
  const [member] = bed.index.members(dev)
  assert.deepEqual(member?.application.metadata, { name: 'big', namespace: 'argocd' })
  assert.deepEqual(member?.application.annotations, { 'wadi.dev/prune': 'true' })
  assert.ok(JSON.stringify(member).length < 2_000)
})

test('the list of members stays the same until one of them comes, changes or goes', async () => {
  await using bed = await startFollowing()
  const names = (list: ReturnType<typeof bed.index.members>) => list.map(({ name }) => name)
  await bed.store.create(application('b'))
  await bed.store.create(application('other', { hydrateTo: { targetBranch: 'env/prod' } }))
  await bed.reported()
  const one = bed.index.members(dev)
  await mutate(bed.store, 'Application', 'argocd', 'other', (current) => ({
    ...current,
    spec: { ...current.spec, project: 'team' },
  }))
  await mutate(bed.store, 'Application', 'argocd', 'b', (current) => ({
    ...current,
    metadata: { ...current.metadata, labels: { tier: 'web' } },
  }))
  await bed.reported()
  assert.equal(bed.index.members(dev), one)
  await bed.store.create(application('a'))
  await bed.reported()
  const two = bed.index.members(dev)
  assert.deepEqual([names(one), names(two)], [['argocd/b'], ['argocd/a', 'argocd/b']])
  await mutate(bed.store, 'Application', 'argocd', 'b', (current) => ({
    ...current,
    spec: { ...current.spec, project: 'team' },
  }))
  await bed.reported()
  const three = bed.index.members(dev)
  assert.deepEqual(
    [two, three].map((list) => list.map(({ application: { project } }) => project)),
    [
      ['default', 'default'],
      ['default', 'team'],
    ],
  )
  await bed.store.delete('Application', 'argocd', 'a')
  await bed.reported()
  assert.deepEqual(names(bed.index.members(dev)), ['argocd/b'])
})
