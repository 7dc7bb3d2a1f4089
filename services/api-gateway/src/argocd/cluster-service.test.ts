import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ClusterQuerySchema } from '@wadi/protocol/gen/argocd/cluster/cluster_pb.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { argocdClusters } from './cluster-service.ts'

const server = 'https://kubernetes.default.svc'

test('a cluster is named by its address, its name or an id of either kind', async () => {
  await using fixture = await openGatewayFixture()
  const clusters = argocdClusters(fixture.context)
  for (const query of [
    { server },
    { name: 'in-cluster' },
    { id: { type: 'server', value: server } },
    { id: { type: 'url_escaped', value: encodeURIComponent(server) } },
    { id: { type: 'name_escaped', value: 'in%2Dcluster' } },
  ]) {
    const found = await clusters.get(create(ClusterQuerySchema, query), callContext())
    assert.equal(found.name, 'in-cluster')
    const { items } = await clusters.list(create(ClusterQuerySchema, query), callContext())
    assert.equal(items?.length, 1)
  }
  const { items } = await clusters.list(create(ClusterQuerySchema, { name: 'none' }), callContext())
  assert.deepEqual(items, [])
})

test('a query that names no cluster, or badly, is refused', async () => {
  await using fixture = await openGatewayFixture()
  const clusters = argocdClusters(fixture.context)
  for (const query of [{}, { id: { type: 'name_escaped', value: '%' } }]) {
    const get = async () => clusters.get(create(ClusterQuerySchema, query), callContext())
    await assert.rejects(get, { name: 'InvalidInputError' })
  }
})
