import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { ApiConnection } from '../connection/api-connection.ts'
import { application, applications } from '../object-fixture.ts'
import { Informer, type InformerOptions } from './informer.ts'
import { clusterSuites } from '../cluster-suites-fixture.ts'

const project = ({ spec }: Resource) => JSON.stringify(spec)

clusterSuites(
  (clusterName) => `informers of the ${clusterName}`,
  (at) => {
    function follow(namespaces: string[], more: Partial<InformerOptions<string>> = {}) {
      const changes: string[] = []
      const errors: unknown[] = []
      const informer = new Informer<string>({
        client: at.client,
        resource: applications,
        namespaces,
        project,
        onError: (error) => errors.push(error),
        ...more,
      })
      informer.onChange((change) => {
        changes.push(
          `${change.type} ${change.key.name} ${change.type === 'deleted' ? change.previous : change.value}`,
        )
      })
      return { informer, changes, errors }
    }

    const spec = (n: number) => ({ n })

    test('what exists is there once the informer is synced, and each change is reported', async () => {
      const namespace = await at.cluster.createNamespace()
      const key = { namespace, name: 'a' }
      await at.client.create(applications, application(namespace, 'a', {}, spec(1)))
      const { informer, changes } = follow([namespace])
      await using _ = informer
      assert.deepEqual(informer.trouble, { isSynced: false, error: undefined })
      await informer.synced()
      assert.equal(informer.get(key), '{"n":1}')
      assert.equal(informer.get({ namespace, name: 'b' }), undefined)
      await at.client.patch(applications, key, { spec: spec(2) })
      await at.client.create(applications, application(namespace, 'b', {}, spec(3)))
      await at.client.delete(applications, key)
      await until(() => changes.length === 4)
      assert.deepEqual(changes, [
        'added a {"n":1}',
        'updated a {"n":2}',
        'added b {"n":3}',
        'deleted a {"n":2}',
      ])
      assert.deepEqual(informer.list(), ['{"n":3}'])
      assert.deepEqual(informer.trouble, { isSynced: true, error: undefined })
    })

    test('several namespaces are followed, and no other', async () => {
      const [one, two, other] = [
        await at.cluster.createNamespace(),
        await at.cluster.createNamespace(),
        await at.cluster.createNamespace(),
      ]
      for (const [n, namespace] of [one, two, other].entries()) {
        await at.client.create(applications, application(namespace, 'a', {}, spec(n)))
      }
      const { informer } = follow([one, two])
      await using _ = informer
      await informer.synced()
      assert.deepEqual(informer.list().toSorted(), ['{"n":0}', '{"n":1}'])
      assert.deepEqual(informer.list(two), ['{"n":1}'])
      assert.equal(informer.get({ namespace: other, name: 'a' }), undefined)
      const { namespaces: _all, ...everywhere } = { namespaces: [] }
      await using all = new Informer<string>({
        client: at.client,
        resource: applications,
        project: (object) =>
          [one, other].includes(object.metadata.namespace ?? '') ? project(object) : undefined,
        onError: assert.ifError,
        ...everywhere,
      })
      await all.synced()
      assert.deepEqual(all.list().toSorted(), ['{"n":0}', '{"n":2}'])
      assert.equal(all.get({ namespace: other, name: 'a' }), '{"n":2}')
    })

    test('selectors narrow what is followed', async () => {
      const namespace = await at.cluster.createNamespace()
      for (const [name, env] of [
        ['a', 'dev'],
        ['b', 'prod'],
        ['c', 'dev'],
      ] as const) {
        await at.client.create(applications, application(namespace, name, { labels: { env } }, { name }))
      }
      const byLabel = follow([namespace], { labelSelector: 'env=dev' })
      const byName = follow([namespace], { fieldSelector: 'metadata.name=b' })
      await using informers = new AsyncDisposableStack()
      informers.use(byLabel.informer)
      informers.use(byName.informer)
      await Promise.all([byLabel.informer.synced(), byName.informer.synced()])
      assert.deepEqual(byLabel.informer.list().toSorted(), ['{"name":"a"}', '{"name":"c"}'])
      assert.deepEqual(byName.informer.list(), ['{"name":"b"}'])
      await at.client.patch(applications, { namespace, name: 'a' }, { metadata: { labels: { env: 'prod' } } })
      await until(() => byLabel.changes.length === 3)
      assert.equal(byLabel.changes.at(-1), 'deleted a {"name":"a"}')
    })

    test('own writes and deletions are seen at once', async () => {
      const namespace = await at.cluster.createNamespace()
      const key = { namespace, name: 'a' }
      const { informer, changes } = follow([namespace])
      await using _ = informer
      await informer.synced()
      informer.wrote(await at.client.create(applications, application(namespace, 'a', {}, spec(0))))
      for (let n = 1; n <= 20; n++) {
        assert.equal(informer.get(key), `{"n":${n - 1}}`)
        informer.wrote(await at.client.patch(applications, key, { spec: spec(n) }))
      }
      informer.deleted(key, await at.client.delete(applications, key))
      assert.equal(informer.get(key), undefined)
      await at.client.create(applications, application(namespace, 'last'))
      await until(() => changes.some((change) => change.startsWith('added last')))
      const expected = [
        'added a {"n":0}',
        ...Array.from({ length: 20 }, (_value, n) => `updated a {"n":${n + 1}}`),
      ]
      assert.deepEqual(changes.slice(0, -1), [...expected, 'deleted a {"n":20}'])
    })

    test('a connection that breaks costs no list', async () => {
      const namespace = await at.cluster.createNamespace()
      await at.client.create(applications, application(namespace, 'a', {}, spec(0)))
      const { informer, changes, errors } = follow([namespace])
      await using _ = informer
      await informer.synced()
      at.cluster.relay.cut()
      await until(() => errors.length > 0)
      await at.client.patch(applications, { namespace, name: 'a' }, { spec: spec(1) })
      await at.client.create(applications, application(namespace, 'b', {}, spec(2)))
      await until(() => changes.length === 3)
      assert.deepEqual(changes, ['added a {"n":0}', 'updated a {"n":1}', 'added b {"n":2}'])
      assert.ok(errors.every((error) => error instanceof Error && error.name === 'UnavailableError'))
    })

    test('a frozen connection is given up after two pings, and another one goes on', async () => {
      const namespace = await at.cluster.createNamespace()
      await using impatient = new KubernetesClient(
        at.cluster.config,
        new ApiConnection(at.cluster.config, 200),
      )
      const { informer, changes, errors } = follow([namespace], { client: impatient })
      await using _ = informer
      await informer.synced()
      const connections = at.cluster.relay.accepted
      at.cluster.relay.freeze()
      await until(() => errors.length > 0)
      at.cluster.relay.thaw()
      assert.ok(errors[0] instanceof UnavailableError, String(errors[0]))
      await at.client.create(applications, application(namespace, 'a', {}, spec(1)))
      await until(() => changes.length === 1)
      assert.deepEqual(changes, ['added a {"n":1}'])
      assert.ok(at.cluster.relay.accepted > connections)
    })
  },
)
