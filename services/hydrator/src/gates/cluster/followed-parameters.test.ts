import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { until } from '@wadi/testing/until.ts'
import { FollowedParameters } from './followed-parameters.ts'

const hourMs = 3_600_000

for (const { name, missing, open } of testClusterKinds) {
  suite(`parameters of the ${name}`, { skip: missing ?? false }, () => {
    test('that change one after the other are gathered for some time', async () => {
      await using cluster = await open()
      await using client = new KubernetesClient(cluster.config)
      await using parameters = new FollowedParameters(client, hourMs)
      const namespace = await cluster.createNamespace()
      const resource = usedResource('ConfigMap')
      const metadata = { name: 'limits', namespace }
      await client.create(resource, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { most: '0' } })
      const read = async () => JSON.stringify(await parameters.read([{ resource, namespace }]))
      await until(async () => (await read()).includes('limits'))
      const end = new AbortController()
      let changes = 0
      const count = async () => {
        for await (const _ of parameters.changes(end.signal)) changes++
      }
      const counting = count()
      for (const most of ['1', '2']) {
        await client.patch(resource, metadata, { data: { most } })
        await until(async () => (await read()).includes(`\\"most\\":\\"${most}\\"`))
        await pause(0)
      }
      assert.equal(changes, 0)
      end.abort()
      await counting
    })
  })
}
