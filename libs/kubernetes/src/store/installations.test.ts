import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { type TestCluster, testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { application } from '../object-fixture.ts'
import { type KubernetesStore, openKubernetesStore } from './kubernetes-store.ts'
import { storedKind } from './stored-kinds.ts'

const label = 'wadi.dev/installation'
const { resource: applications } = storedKind('Application')

for (const { name: kind, missing, open } of testClusterKinds) {
  suite(`installations that share a namespace of the ${kind}`, { skip: missing ?? false }, () => {
    const owned = new AsyncDisposableStack()
    let cluster: TestCluster
    let client: KubernetesClient
    let namespace: string
    let unnamed: KubernetesStore
    let blue: KubernetesStore
    before(async () => {
      cluster = owned.use(await open())
      client = owned.use(new KubernetesClient(cluster.config))
      namespace = await cluster.createNamespace()
      const store = (installation: string) =>
        owned.use(
          openKubernetesStore(client, { namespaces: [namespace], installation, onError: assert.ifError }),
        )
      unnamed = store('')
      blue = store('blue')
    })
    after(() => owned.disposeAsync())

    const labelled = (name: string, labels: Record<string, string>): Resource => {
      const object = application(namespace, name)
      return { ...object, metadata: { ...object.metadata, labels } }
    }
    const names = async (store: KubernetesStore) =>
      (await store.list('Application')).items.map(({ metadata }) => metadata.name)

    test('each knows its own objects alone, and one that is given to another is gone for the first', async () => {
      await client.create(applications, labelled('a', { team: 'x' }))
      await client.create(applications, labelled('b', { [label]: 'blue' }))
      await client.create(applications, labelled('c', { [label]: 'green' }))
      assert.deepEqual([await names(unnamed), await names(blue)], [['a'], ['b']])
      assert.equal(await blue.get('Application', namespace, 'a'), undefined)
      assert.equal((await blue.get('Application', namespace, 'b'))?.metadata.name, 'b')
      // Also where the API is asked: the version is newer than what is known.
      assert.equal(await unnamed.get('Application', namespace, 'b', { atLeast: '999999999' }), undefined)

      const end = new AbortController()
      const seen: string[] = []
      const watching = (async () => {
        for await (const { type, resource } of unnamed.watch('Application', { signal: end.signal })) {
          seen.push(`${type satisfies ResourceEvent['type']} ${resource.metadata.name}`)
        }
      })()
      await client.patch(
        applications,
        { namespace, name: 'a' },
        { metadata: { labels: { [label]: 'blue' } } },
      )
      await until(() => seen.includes('deleted a'))
      await until(async () => (await names(blue)).length === 2)
      end.abort()
      await watching
      assert.deepEqual(await names(unnamed), [])
    })

    test('what an installation creates and changes carries its label, and equal content costs no write', async () => {
      const created = await blue.create(application(namespace, 'made'))
      assert.equal(created.metadata.labels?.[label], 'blue')
      const { labels: _, ...metadata } = created.metadata
      const updated = await blue.update({ ...created, metadata })
      assert.equal(updated.metadata.resourceVersion, created.metadata.resourceVersion)
      await assert.rejects(blue.create(labelled('other', { [label]: 'green' })), InvalidInputError)
      await assert.rejects(unnamed.create(labelled('other', { [label]: 'blue' })), InvalidInputError)
    })

    test('a name that an object of another installation has is taken, and the error says by whom', async () => {
      await client.create(applications, labelled('taken', { [label]: 'green' }))
      await assert.rejects(blue.create(application(namespace, 'taken')), (error: Error) => {
        assert.ok(error instanceof FailedPreconditionError)
        const about = `Application ${namespace}/taken belongs to another installation: it has the label wadi.dev/installation: green`
        assert.ok(error.message.startsWith(about), error.message)
        return true
      })
    })
  })
}
