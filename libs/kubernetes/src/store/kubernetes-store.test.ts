import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type SecureClientSessionOptions } from 'node:http2'
import { test } from 'node:test'
import { AlreadyExistsError, ConflictError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import { mutate, mutateStatus, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { application, applications, hydratedBranch, secrets } from '../object-fixture.ts'
import type { FollowedObjects } from './followed-kind.ts'
import { openKubernetesStore } from './kubernetes-store.ts'
import { clusterSuites } from '../cluster-suites-fixture.ts'

const byArgoCd = {
  health: { status: 'Healthy' },
  resources: [{ kind: 'Deployment', name: 'web' }],
  reconciledAt: '2026-01-01T09:00:00Z',
}

function secret(namespace: string, name: string, labels: Record<string, string> = {}): Resource {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name, labels } }
}

/** A client whose watches report nothing while they are held. */
class LateClient extends KubernetesClient {
  #released = Promise.resolve()

  hold(): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#released = promise
    return { [Symbol.dispose]: resolve }
  }

  override async *watch(...watch: Parameters<KubernetesClient['watch']>) {
    for await (const event of super.watch(...watch)) {
      await this.#released
      yield event
    }
  }
}

/** A merge patch over a connection of its own, as another program makes it. */
async function patchAs(
  url: URL,
  { tls, token }: { tls: SecureClientSessionOptions; token: string | undefined },
  patch: object,
): Promise<void> {
  const session = connect(url.origin, tls)
  const stream = session.request({
    ':method': 'PATCH',
    ':path': `${url.pathname}${url.search}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/merge-patch+json',
  })
  stream.end(JSON.stringify(patch))
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
  assert.equal(headers[':status'], 200)
  session.destroy()
}

/** Names in a list of a kind. */
async function names(store: ResourceStore, kind: string): Promise<string[]> {
  return (await store.list(kind)).items.map(({ metadata }) => metadata.name)
}

clusterSuites(
  (clusterName) => `a store of the ${clusterName}`,
  (at) => {
    function openStore(namespaces: string[], followed: Record<string, FollowedObjects[]> = {}) {
      return openKubernetesStore(at.client, { namespaces, followed, onError: assert.ifError })
    }

    test('what Argo CD keeps in the status of an Application stays, and when it looks again is no change', async () => {
      const namespace = await at.cluster.createNamespace()
      await using store = openStore([namespace])
      const key = { namespace, name: 'a' }
      await store.create(application(namespace, 'a'))
      await at.client.patch(applications, key, { status: byArgoCd })
      await until(async () => (await store.get('Application', namespace, 'a'))?.status !== undefined)
      const stop = new AbortController()
      const { resourceVersion: fromResourceVersion } = await store.list('Application')
      const watch = store.watch('Application', { fromResourceVersion, signal: stop.signal })
      await at.client.patch(applications, key, { status: { reconciledAt: '2026-01-01T09:03:00Z' } })
      const sourceHydrator = { lastComparedDryRevision: 'abc' }
      await mutateStatus(store, 'Application', namespace, 'a', (current) => ({
        ...current,
        status: { ...current.status, sourceHydrator },
      }))
      await mutate(store, 'Application', namespace, 'a', (current) => ({
        ...current,
        spec: { project: 'team', helm: { value: null } },
      }))
      const statuses: unknown[] = []
      for await (const { resource } of watch) {
        statuses.push([resource.status, resource.spec])
        if (statuses.length === 2) stop.abort()
      }
      const kept = { health: byArgoCd.health, sourceHydrator }
      assert.deepEqual(statuses, [
        [kept, { project: 'default' }],
        [kept, { project: 'team', helm: { value: null } }],
      ])
      const { status } = await at.client.get(applications, key)
      assert.deepEqual(status, { ...byArgoCd, reconciledAt: '2026-01-01T09:03:00Z', sourceHydrator })
      await mutateStatus(store, 'Application', namespace, 'a', ({ status: _status, ...current }) => current)
      const { health: _health, ...rest } = byArgoCd
      const cleared = await at.client.get(applications, key)
      assert.deepEqual(cleared.status, { ...rest, reconciledAt: '2026-01-01T09:03:00Z' })
    })

    test('the status of a kind with that subresource is replaced alone, and only when it changes', async () => {
      const namespace = await at.cluster.createNamespace()
      await using store = openStore([namespace])
      const created = await store.create(hydratedBranch(namespace, 'a'))
      assert.deepEqual(await names(store, 'HydratedBranch'), ['a'])
      const status = { drySha: 'a'.repeat(40) }
      const written = await store.updateStatus({ ...created, spec: {}, status })
      assert.deepEqual([written.spec, written.metadata.generation], [created.spec, 1])
      assert.deepEqual(await store.updateStatus(written), written)
      const kept = await store.update({ ...written, metadata: { ...written.metadata, labels: { a: 'b' } } })
      assert.deepEqual([kept.status, kept.metadata.labels], [written.status, { a: 'b' }])
      assert.deepEqual(await store.get('HydratedBranch', namespace, 'a'), kept)
    })

    test('who loses to somebody else sees what he wrote, also before the watch reports it', async () => {
      const namespace = await at.cluster.createNamespace()
      await using late = new LateClient(at.cluster.config)
      await using store = openKubernetesStore(late, { namespaces: [namespace], onError: assert.ifError })
      const created = await store.create(application(namespace, 'a'))
      assert.deepEqual(await names(store, 'Application'), ['a'])
      using _ = late.hold()
      const spec = { by: 'another' }
      await at.client.patch(applications, { namespace, name: 'a' }, { spec: { project: null, ...spec } })
      await at.client.create(applications, application(namespace, 'b'))
      assert.deepEqual((await store.get('Application', namespace, 'a'))?.spec, created.spec)
      await assert.rejects(store.update({ ...created, spec: {} }), ConflictError)
      assert.deepEqual((await store.get('Application', namespace, 'a'))?.spec, spec)
      await assert.rejects(store.create(application(namespace, 'b')), AlreadyExistsError)
      assert.deepEqual(await names(store, 'Application'), ['a', 'b'])
    })

    test('who knows the version of a write, or asks for what is current, sees it before the watch reports it', async () => {
      const namespace = await at.cluster.createNamespace()
      await using late = new LateClient(at.cluster.config)
      await using store = openKubernetesStore(late, { namespaces: [namespace], onError: assert.ifError })
      const created = await store.create(hydratedBranch(namespace, 'a'))
      assert.deepEqual(await names(store, 'HydratedBranch'), ['a'])
      using _ = late.hold()
      await using other = openStore([namespace])
      const written = await other.updateStatus({ ...created, status: { drySha: 'a'.repeat(40) } })
      const added = await other.create(hydratedBranch(namespace, 'b'))
      assert.deepEqual(await store.get('HydratedBranch', namespace, 'a'), created)
      const atLeast = written.metadata.resourceVersion ?? ''
      assert.deepEqual(await store.get('HydratedBranch', namespace, 'a', { atLeast }), written)
      assert.deepEqual(await store.get('HydratedBranch', namespace, 'a'), written)
      const last = { atLeast: added.metadata.resourceVersion ?? '' }
      assert.deepEqual(await store.get('HydratedBranch', namespace, 'b', last), added)
      assert.equal(await store.get('HydratedBranch', namespace, 'none', last), undefined)
      const newest = await other.updateStatus({ ...written, status: { drySha: 'b'.repeat(40) } })
      assert.deepEqual(await store.get('HydratedBranch', namespace, 'a', { isCurrent: true }), newest)
    })

    test('own writes are there before the watch reports them, and what goes with its last finalizer is gone', async () => {
      const namespace = await at.cluster.createNamespace()
      await using late = new LateClient(at.cluster.config)
      await using store = openKubernetesStore(late, { namespaces: [namespace], onError: assert.ifError })
      assert.deepEqual(await names(store, 'Application'), [])
      using _ = late.hold()
      const { metadata, ...object } = application(namespace, 'held')
      const finalizers = ['example.com/first']
      const held = await store.create({ ...object, metadata: { ...metadata, finalizers } })
      await store.create(application(namespace, 'free'))
      assert.deepEqual(await names(store, 'Application'), ['free', 'held'])
      await store.delete('Application', namespace, 'free')
      await store.delete('Application', namespace, 'held')
      const [left] = (await store.list('Application')).items
      assert.ok(left && isBeingDeleted(left))
      assert.equal(left.metadata.uid, held.metadata.uid)
      await store.update({ ...left, metadata: { ...left.metadata, finalizers: [] } })
      assert.deepEqual(await names(store, 'Application'), [])
    })

    test('Secrets are followed by name and by label, and others are read when they are asked for', async () => {
      const namespace = await at.cluster.createNamespace()
      const isCluster = { type: 'cluster' }
      await at.client.create(secrets, secret(namespace, 'both', isCluster))
      await at.client.create(secrets, secret(namespace, 'other'))
      await using store = openStore([namespace], {
        Secret: [
          { namespaces: [namespace], name: 'both' },
          { namespaces: [namespace], labelSelector: 'type=cluster' },
        ],
      })
      assert.deepEqual(await names(store, 'Secret'), ['both'])
      assert.equal((await store.get('Secret', namespace, 'other'))?.metadata.name, 'other')
      assert.equal(await store.get('Secret', namespace, 'absent'), undefined)
      await store.create(secret(namespace, 'labelled', isCluster))
      await store.create(secret(namespace, 'unlabelled'))
      assert.deepEqual(await names(store, 'Secret'), ['both', 'labelled'])
      for (const name of ['both', 'labelled']) {
        await mutate(store, 'Secret', namespace, name, (current) => ({
          ...current,
          metadata: { ...current.metadata, labels: {} },
        }))
      }
      assert.deepEqual(await names(store, 'Secret'), ['both'])
      await store.delete('Secret', namespace, 'both')
      assert.deepEqual(await names(store, 'Secret'), [])
    })

    test('without a selection no Secret is followed, and all of them never are', async () => {
      const namespace = await at.cluster.createNamespace()
      await at.client.create(secrets, secret(namespace, 'a'))
      await using store = openStore([namespace])
      assert.deepEqual(await names(store, 'Secret'), [])
      assert.equal((await store.get('Secret', namespace, 'a'))?.metadata.name, 'a')
      assert.throws(() => openStore([namespace], { Secret: [{ labelSelector: ' ' }] }), InvalidInputError)
      assert.throws(() => openStore([namespace], { Lease: [] }), /expected one of Application, /)
    })

    test('who else wrote when a hydration began is kept, until Wadi writes it again', async () => {
      const namespace = await at.cluster.createNamespace()
      await at.client.create(applications, application(namespace, 'web'))
      await using store = openStore([namespace])
      const writers = async () =>
        (await store.get('Application', namespace, 'web'))?.metadata['managedFields']
      const operation = (startedAt: string) => ({ sourceHydrator: { currentOperation: { startedAt } } })
      const write = (startedAt: string) =>
        mutateStatus(store, 'Application', namespace, 'web', (current) => ({
          ...current,
          status: { ...current.status, ...operation(startedAt) },
        }))
      await write('2026-01-01T09:00:00Z')
      assert.equal(await writers(), undefined)
      const { server, tls, bearerToken } = at.cluster.config
      const argoCd = new URL(
        `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications/web?fieldManager=argocd-application-controller`,
        server,
      )
      await patchAs(
        argoCd,
        { tls: await tls(), token: await bearerToken() },
        {
          status: { health: { status: 'Healthy' }, ...operation('2026-01-01T09:03:00Z') },
        },
      )
      await until(async () => (await writers()) !== undefined)
      assert.deepEqual(await writers(), [{ manager: 'argocd-application-controller' }])
      await write('2026-01-01T09:04:00Z')
      assert.equal(await writers(), undefined)
    })

    test('a version of another store is none: its watch begins with all objects', async () => {
      const namespace = await at.cluster.createNamespace()
      await using store = openStore([namespace])
      await using other = openStore([namespace])
      await store.create(application(namespace, 'a'))
      const { resourceVersion: fromResourceVersion } = await other.list('Application')
      const { signal } = new AbortController()
      const watch = store.watch('Application', { fromResourceVersion, signal })[Symbol.asyncIterator]()
      const { value } = await watch.next()
      assert.deepEqual([value?.type, value?.resource.metadata.name], ['added', 'a'])
    })
  },
)
