import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { eventResource } from '@wadi/kubernetes/events/event-recorder.ts'
import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { openServiceBase } from '@wadi/rpc/service-base.ts'
import { defineSettings, readSettings } from '@wadi/rpc/service-settings.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import type { KubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { until } from '@wadi/testing/until.ts'
import { startClusterFixture } from './cluster-fixture.ts'
import { openState, type State } from './open-state.ts'
import { stateSettings } from './state-settings.ts'
import type { StoredObjects } from './stored-objects.ts'

const objects: readonly StoredObjects[] = [
  { kind: 'Application', within: 'applications', writes: ['patch'] },
  { kind: 'HydratedBranch', within: 'control plane', statusWrites: ['update'] },
  { kind: 'ConfigMap', within: 'control plane', names: ['argocd-cm'] },
  { kind: 'Secret', within: 'control plane', labelSelector: 'type=cluster' },
]

const everySetting = defineSettings({ ...commonSettings, ...stateSettings })

/** A service whose state is in a stand-in that serves nothing of ours yet. */
async function openFixture(environment: Record<string, string> = {}, more: readonly StoredObjects[] = []) {
  const cluster = await startClusterFixture()
  const settings = readSettings(everySetting, { env: { ...cluster.env, ...environment }, argv: [] })
  const base = await openServiceBase('test', settings)
  return {
    ...cluster,
    open: (signal?: AbortSignal) => openState(base, settings, [...objects, ...more], signal),
  }
}

const events: StoredObjects = {
  kind: 'Event',
  isFollowed: false,
  within: 'applications',
  writes: ['create', 'patch'],
}
const installation = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'argocd', name: 'wadi-installation' },
  data: { id: 'east' },
}

/** Waits for an Event about the installation and returns its sentence. */
async function eventNote({ cluster }: State, reason: string): Promise<string> {
  const find = async () =>
    (await cluster?.list(eventResource, { namespace: 'argocd' }))?.items.find(
      (event) => event['reason'] === reason,
    )
  await until(async () => (await find()) !== undefined)
  return String((await find())?.['note'])
}

const missing = (kind: string, apiVersion: string, definition: string) =>
  `the cluster does not serve ${kind} (${apiVersion}); install the CustomResourceDefinition ${definition}`

for (const { title, spoil, says, repair } of [
  {
    title: 'whose cluster lacks the definitions',
    spoil: () => undefined,
    says: `503 store: ${missing('Application', 'argoproj.io/v1alpha1', 'applications.argoproj.io')}; ${missing('HydratedBranch', 'wadi.dev/v1alpha1', 'hydratedbranches.wadi.dev')}\n`,
    repair: (api: KubernetesApi) => api.applyCrds(...crdFiles),
  },
  {
    title: 'that lacks rights',
    spoil: async (api: KubernetesApi) => {
      await api.applyCrds(...crdFiles)
      for (const plural of ['applications', 'hydratedbranches', 'configmaps']) api.admission.forbid(plural)
    },
    says:
      '503 store: this account may not get, list, watch, patch applications.argoproj.io in namespace argocd; ' +
      'get, list, watch hydratedbranches.wadi.dev in namespace argocd; update hydratedbranches.wadi.dev/status in namespace argocd; ' +
      'get, list, watch configmaps named argocd-cm in namespace argocd: bind a role that allows it\n',
    repair: (api: KubernetesApi) => {
      for (const plural of ['applications', 'hydratedbranches', 'configmaps']) api.admission.allow(plural)
    },
  },
  {
    title: 'whose cluster does not know it',
    spoil: async (api: KubernetesApi) => {
      await api.applyCrds(...crdFiles)
      api.admission.token = 'another'
    },
    says: '503 store: the Kubernetes API: the Kubernetes API rejects the token or certificate of this client: Unauthorized\n',
    repair: (api: KubernetesApi) => {
      api.admission.token = 'test-token'
    },
  },
]) {
  test(`a service ${title} says so at /readyz, and starts once that is repaired`, async () => {
    await using fixture = await openFixture()
    const { api, open, readyz } = fixture
    await spoil(api)
    const opening = open()
    await until(async () => (await readyz()) === says).catch(async () => assert.equal(await readyz(), says))
    await repair(api)
    await using state = await opening
    assert.deepEqual((await state.store.list('Application')).items, [])
    assert.equal(await readyz(), undefined, 'the address is free for the service')
    assert.equal(state.warning(), undefined)
  })
}

test('kinds and rights that a service waits for are Events, once it has waited for more than a moment', async () => {
  await using fixture = await openFixture({}, [events])
  const { api, open } = fixture
  api.put(installation)
  const written = async () => {
    const before = api.requests.length
    await until(() => api.requests.slice(before).some((request) => /^(?:create|patch) events/.test(request)))
  }
  const opening = open()
  await written()
  api.admission.forbid('applications')
  await api.applyCrds(...crdFiles)
  await written()
  api.admission.allow('applications')
  await using state = await opening
  const { items = [] } = (await state.cluster?.list(eventResource, { namespace: 'argocd' })) ?? {}
  const notes = items.map((event) => `${String(event['reason'])}: ${String(event['note'])}`)
  assert.ok(
    notes.some((note) =>
      note.startsWith('ClusterNotUsable: test waits: the cluster does not serve Application '),
    ),
    notes.join(),
  )
  assert.ok(
    notes.some((note) =>
      note.startsWith(
        'ClusterNotUsable: test waits: this account may not get, list, watch, patch applications',
      ),
    ),
    notes.join(),
  )
})

test('an API server that cannot be reached is named at /readyz, and a start that waits ends with its signal', async () => {
  await using fixture = await openFixture()
  await fixture.api.relay[Symbol.asyncDispose]()
  const stop = new AbortController()
  const opening = fixture.open(stop.signal)
  await until(async () =>
    /^503 store: the Kubernetes API: .*ECONNREFUSED/.test((await fixture.readyz()) ?? ''),
  )
  stop.abort()
  await assert.rejects(opening, { name: 'AbortError' })
  assert.equal(await fixture.readyz(), undefined)
})

test('a service waits for an API server that is too busy to answer, and starts once it has time', async () => {
  await using fixture = await openFixture()
  const { api, open, readyz } = fixture
  await api.applyCrds(...crdFiles)
  api.admission.beBusy(1_000_000, 0)
  const opening = open()
  await until(() => api.requests.length > 50)
  assert.match((await readyz()) ?? '', /^503 store: /)
  api.admission.beBusy(0, 0)
  await using state = await opening
  assert.equal(state.warning(), undefined)
})

test('a clock that is an hour off is named while a service waits, and warned of later, with an Event', async (t) => {
  await using fixture = await openFixture({}, [events])
  const { api, open, readyz } = fixture
  api.put(installation)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  const opening = open()
  const clock =
    /the clock of this machine is 3[56]\d\d s ahead of that of the Kubernetes API: set both clocks, /
  await until(async () => clock.test((await readyz()) ?? ''))
  await api.applyCrds(...crdFiles)
  await using state = await opening
  assert.match(state.warning() ?? '', clock)
  assert.match(await eventNote(state, 'ClocksDiffer'), clock)
  t.mock.timers.setTime(Date.now() - 7_200_000)
  await state.store.get('Application', 'argocd', 'none')
  api.endWatches()
  await until(() => (state.warning() ?? '').includes('s behind that of the Kubernetes API'))
  t.mock.timers.reset()
  api.endWatches()
  await until(() => state.warning() === undefined)
})

test('of 20,000 Secrets those of clusters alone are known', async () => {
  await using fixture = await openFixture()
  const { api, open } = fixture
  await api.applyCrds(...crdFiles)
  const secret = (name: string, labels = {}) =>
    api.put({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'argocd', name, labels } })
  for (let number = 0; number < 20_000; number++) secret(`release-${number}`)
  secret('production', { type: 'cluster' })
  await using state = await open()
  const { items } = await state.store.list('Secret')
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['production'],
  )
})

test('a store that loses the cluster later warns that what it knows may be old', async () => {
  await using fixture = await openFixture()
  await fixture.api.applyCrds(...crdFiles)
  await using state = await fixture.open()
  fixture.api.admission.forbid('applications')
  fixture.api.endWatches()
  await until(() =>
    (state.warning() ?? '').startsWith('applications.argoproj.io of the Kubernetes API: not followed'),
  )
  fixture.api.admission.allow('applications')
  await until(() => state.warning() === undefined)
})

test('a store whose API server is too busy for a while says so, waits as long as it asks, and loses nothing', async () => {
  await using fixture = await openFixture({}, [events])
  const { api } = fixture
  api.put(installation)
  await api.applyCrds(...crdFiles)
  await using state = await fixture.open()
  const application = (name: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name },
    spec: { project: 'default' },
  })
  const watchedAt: number[] = []
  api.put(application('before'))
  api.admission.beBusy(1_000_000, 1)
  api.onRequest = (request) => {
    if (request === 'watch applications') watchedAt.push(performance.now())
  }
  api.endWatches()
  api.put(application('meanwhile'))
  const written = state.store.create(application('written'))
  await until(() => watchedAt.length > 2)
  assert.match(
    state.warning() ?? '',
    /applications.argoproj.io of the Kubernetes API: not followed .* asked again when it says, .* look at the load of the API server/,
  )
  const [first = 0, second = 0, third = 0] = watchedAt
  assert.ok(second - first >= 990 && third - second >= 990, String(watchedAt))
  api.admission.beBusy(0, 0)
  await written
  const names = async () => (await state.store.list('Application')).items.map(({ metadata }) => metadata.name)
  await until(async () => (await names()).length === 3)
  assert.deepEqual(await names(), ['before', 'meanwhile', 'written'])
  await until(() => state.warning() === undefined)
  assert.match(
    await eventNote(state, 'ApiServerBusy'),
    /^the Kubernetes API is too busy: .* nothing is lost; if this lasts, look at the load of the API server$/,
  )
})

test('an Application of another namespace is neither seen nor stored', async () => {
  await using fixture = await openFixture({ WADI_APPLICATION_NAMESPACES: 'team-*' })
  const { api, open } = fixture
  await api.applyCrds(...crdFiles)
  const application = (namespace: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace, name: 'web' },
    spec: { project: 'default' },
  })
  for (const namespace of ['argocd', 'team-a', 'other']) api.put(application(namespace))
  await using state = await open()
  const { store } = state
  const { items } = await store.list('Application')
  assert.deepEqual(
    items.map(({ metadata }) => metadata.namespace),
    ['argocd', 'team-a'],
  )
  assert.equal(await store.get('Application', 'other', 'web'), undefined)
  await assert.rejects(
    store.create({ ...application('other'), metadata: { namespace: 'other', name: 'b' } }),
    InvalidInputError,
  )
})

test('without a cluster around it a service asks for a kubeconfig', async () => {
  await using fixture = await openFixture({ WADI_KUBECONFIG: '' })
  await assert.rejects(fixture.open(), /this is not a pod; name a kubeconfig instead/)
})
