import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { startTcpRelay } from '@wadi/testing/kubernetes-api/tcp-relay.ts'
import { KubernetesPlane } from '@wadi/testing/kubernetes-plane/kubernetes-plane.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { ApiConnection } from '../connection/api-connection.ts'
import { isExpired } from '../client/status-error.ts'
import { application, applications } from '../object-fixture.ts'
import { Informer } from './informer.ts'

suite('an informer of a real API server', { skip: planeMissing() ?? false }, () => {
  test('reports what changed while the server was started again without its history, and after it was frozen', async () => {
    await using plane = await KubernetesPlane.start()
    await plane.applyCrds(...crdFiles)
    await using relay = await startTcpRelay(plane.port)
    const config = {
      namespace: undefined,
      tls: async () => ({ ca: plane.ca }),
      bearerToken: async () => plane.adminToken,
    }
    await using administrator = new KubernetesClient({ ...config, server: plane.server })
    const relayed = { ...config, server: `https://127.0.0.1:${relay.port}` }
    await using client = new KubernetesClient(relayed, new ApiConnection(relayed, 1_000))
    for (const name of ['a', 'b', 'c']) await administrator.create(applications, application('default', name))
    const changes: string[] = []
    const errors: unknown[] = []
    await using informer = new Informer<string>({
      client,
      resource: applications,
      namespaces: ['default'],
      project: ({ metadata }) => metadata.name,
      onError: (error) => errors.push(error),
    })
    await informer.synced()
    informer.onChange(({ type, key }) => changes.push(`${type} ${key.name}`))
    changes.length = 0

    relay.refuse()
    await administrator.patch(applications, { namespace: 'default', name: 'a' }, { spec: { n: 1 } })
    await administrator.delete(applications, { namespace: 'default', name: 'b' })
    await administrator.create(applications, application('default', 'd'))
    await plane.compact()
    await plane.stopApiServer()
    relay.accept()
    await until(() => errors.length > 0)
    await plane.startApiServer()
    await until(() => changes.length === 3)
    assert.deepEqual(changes.toSorted(), ['added d', 'deleted b', 'updated a'])
    assert.ok(errors.some(isExpired), errors.map(String).join('\n'))

    await administrator.patch(applications, { namespace: 'default', name: 'c' }, { spec: { n: 1 } })
    await until(() => changes.length === 4)
    assert.equal(changes.at(-1), 'updated c')

    const before = errors.length
    plane.signalApiServer('SIGSTOP')
    await until(() => errors.length > before)
    plane.signalApiServer('SIGCONT')
    await administrator.patch(applications, { namespace: 'default', name: 'c' }, { spec: { n: 2 } })
    await until(() => changes.length === 5)
    assert.equal(changes.at(-1), 'updated c')
  })
})
