import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type ClusterSchema,
  CreateClusterRequestSchema,
  DeleteClusterRequestSchema,
  GetClusterRequestSchema,
  ListClustersRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { clusterRoutes } from './clusters.ts'

const secretWord = 'hunter2-hunter2'

function createOne(
  context: GatewayContext,
  cluster: MessageInitShape<typeof ClusterSchema>,
  call = callContext(),
  upsert = false,
) {
  return clusterRoutes(context).createCluster(create(CreateClusterRequestSchema, { cluster, upsert }), call)
}

function getOne(context: GatewayContext, cluster: string, call = callContext()) {
  return clusterRoutes(context).getCluster(create(GetClusterRequestSchema, { cluster }), call)
}

function deleteOne(context: GatewayContext, cluster: string, call = callContext()) {
  return clusterRoutes(context).deleteCluster(create(DeleteClusterRequestSchema, { cluster }), call)
}

async function names(context: GatewayContext, call = callContext()) {
  const { clusters } = await clusterRoutes(context).listClusters(create(ListClustersRequestSchema), call)
  return clusters.map(({ name, server }) => `${name} ${server}`)
}

/** A cluster as Argo CD stored it, with credentials wherever they may be. */
function foreignSecret(): Resource {
  const config = JSON.stringify({ bearerToken: secretWord })
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name: 'cluster-east-123',
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', env: 'prod' },
      annotations: {
        'managed-by': 'argocd.argoproj.io',
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ stringData: { config } }),
        note: 'kept',
      },
    },
    stringData: { name: 'east', server: 'https://east/', namespaces: 'a, b', project: 'dev', config },
  }
}

test('a cluster is reported without its credentials, wherever they are', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await context.store.create(foreignSecret())
  const { cluster } = await getOne(context, 'east')
  assert.deepEqual(cluster, {
    server: 'https://east',
    name: 'east',
    project: 'dev',
    labels: { env: 'prod' },
    annotations: { note: 'kept' },
    namespaces: ['a', 'b'],
  })
  assert.deepEqual((await getOne(context, 'https://east/')).cluster, cluster)
  const all = await clusterRoutes(context).listClusters(create(ListClustersRequestSchema), callContext())
  assert.ok(!JSON.stringify(all).includes(secretWord))
})

test('an upsert changes what a request can set and keeps the rest, such as credentials for others', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await context.store.create(foreignSecret())
  const wanted = { server: 'https://east', name: 'east', labels: { env: 'dev' } }
  const { cluster, outcome } = await createOne(context, wanted, callContext(), true)
  assert.equal(outcome, 'updated')
  assert.deepEqual([cluster.project, cluster.namespaces, cluster.labels], ['', [], { env: 'dev' }])
  const { items } = await context.store.list('Secret')
  const [stored] = items.filter(({ metadata }) => metadata.name.startsWith('cluster-'))
  assert.equal(stored?.metadata.name, 'cluster-east-123')
  assert.deepEqual(Object.keys(stored?.data ?? {}).toSorted(), ['config', 'name', 'server'])
  assert.equal(stored?.metadata.annotations?.['managed-by'], 'argocd.argoproj.io')
  assert.equal((await createOne(context, wanted, callContext(), true)).outcome, 'unchanged')
  await assert.rejects(createOne(context, { ...wanted, project: 'dev' }), { message: /use upsert flag/ })
})

test('a new cluster is a Secret in the form of Argo CD, under a name that its address gives', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const server = 'https://Api.East.example.com:6443'
  const { outcome, cluster } = await createOne(context, {
    server: `${server}/`,
    project: 'dev',
    labels: { env: 'prod', 'argocd.argoproj.io/secret-type': 'repository' },
    annotations: { note: 'x' },
    namespaces: ['a', 'b'],
  })
  assert.deepEqual([outcome, cluster.server, cluster.name], ['created', server, server])
  const { items } = await context.store.list('Secret', { labelSelector: 'env=prod' })
  const [{ metadata, data } = foreignSecret()] = items
  assert.match(metadata.name, /^cluster-api\.east\.example\.com-[0-9a-f]{10}$/)
  assert.deepEqual(metadata.labels, { env: 'prod', 'argocd.argoproj.io/secret-type': 'cluster' })
  const texts = Object.entries(data ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ])
  assert.deepEqual(Object.fromEntries(texts), { name: server, server, project: 'dev', namespaces: 'a,b' })
})

test('in-cluster is there while no Secret has its address, and cannot be deleted then', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const server = 'https://kubernetes.default.svc'
  assert.deepEqual(await names(context), [`in-cluster ${server}`])
  assert.equal((await getOne(context, 'in-cluster')).cluster.server, server)
  await assert.rejects(deleteOne(context, server), {
    name: 'FailedPreconditionError',
    message: 'cluster in-cluster is always there and cannot be deleted',
  })
  assert.equal((await createOne(context, { server, name: 'home' })).outcome, 'created')
  assert.deepEqual(await names(context), [`home ${server}`])
  await deleteOne(context, 'home')
  assert.deepEqual(await names(context), [`in-cluster ${server}`])
})

test('clusters are seen and changed by their address, with the project in front that they belong to', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await createOne(context, { server: 'https://east', name: 'east', project: 'dev' })
  await createOne(context, { server: 'https://west', name: 'west' })
  await storePolicy(
    context,
    'p, ada, clusters, get, dev/*, allow',
    'p, bob, clusters, get, https://*, allow',
    'p, doer, clusters, *, dev/https://*, allow',
    'p, blind, clusters, delete, *, allow',
    'p, blind, clusters, create, *, allow',
    'p, blind, clusters, update, *, allow',
    // A name is nothing that policies know.
    'p, eve, clusters, *, east, allow',
  )
  assert.deepEqual(await names(context, callBy('ada')), ['east https://east'])
  assert.deepEqual(await names(context, callBy('bob')), [
    'in-cluster https://kubernetes.default.svc',
    'west https://west',
  ])
  assert.deepEqual(await names(context, callBy('eve')), [])
  for (const given of ['east', 'https://east']) {
    const missing = { name: 'NotFoundError', message: `cluster ${JSON.stringify(given)} not found` }
    for (const user of ['bob', 'eve', 'blind']) {
      await assert.rejects(getOne(context, given, callBy(user)), missing)
      await assert.rejects(deleteOne(context, given, callBy(user)), missing)
    }
    await assert.rejects(deleteOne(context, given, callBy('ada')), {
      name: 'PermissionDeniedError',
      message: 'permission denied: clusters, delete, dev/https://east, sub: ada',
    })
    assert.equal((await getOne(context, given, callBy('ada'))).cluster.name, 'east')
  }
  const changed = { server: 'https://east', name: 'east', project: 'dev', labels: { a: 'b' } }
  for (const upsert of [false, true]) {
    await assert.rejects(createOne(context, changed, callBy('blind'), upsert), {
      message: 'permission denied: clusters, create, dev/https://east, sub: blind',
    })
  }
  await assert.rejects(createOne(context, changed, callBy('ada'), true), {
    message: 'permission denied: clusters, update, dev/https://east, sub: ada',
  })
  await assert.rejects(createOne(context, { ...changed, project: 'prod' }, callBy('doer'), true), {
    message: 'permission denied: clusters, create, prod/https://east, sub: doer',
  })
  await assert.rejects(createOne(context, { server: 'https://new' }, callBy('doer')), {
    message: 'permission denied: clusters, create, https://new, sub: doer',
  })
  assert.equal((await createOne(context, changed, callBy('doer'), true)).outcome, 'updated')
  await deleteOne(context, 'east', callBy('doer'))
  assert.deepEqual(await names(context, callBy('ada')), [])
})

test('the name of a cluster is unique, and a hidden cluster of that name is not revealed', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await createOne(context, { server: 'https://prod', name: 'prod', project: 'prod' })
  await storePolicy(context, 'p, ada, clusters, *, dev/*, allow')
  const impostor = { server: 'https://evil', name: 'prod', project: 'dev' }
  await assert.rejects(createOne(context, impostor), {
    name: 'AlreadyExistsError',
    message:
      'cluster https://prod with the name "prod" is stored already; the address and the name of a cluster must be unique',
  })
  for (const name of ['prod', 'in-cluster']) {
    await assert.rejects(createOne(context, { ...impostor, name }, callBy('ada')), {
      name: 'PermissionDeniedError',
      message: 'permission denied: clusters, create, dev/https://evil, sub: ada',
    })
  }
})

test('the address of a cluster is an http URL without credentials', async () => {
  await using fixture = await openGatewayFixture()
  for (const server of [
    '',
    'east',
    'ftp://east',
    'file:///etc',
    'https://',
    `https://u:${secretWord}@east`,
    'https://u@east',
    `https://east?token=${secretWord}`,
    'https://east#x',
    'https://ea st',
  ]) {
    await assert.rejects(createOne(fixture.context, { server, name: 'x' }), (error: Error) => {
      assert.equal(error.name, 'InvalidInputError', server)
      assert.match(error.message, /^server of the cluster /, server)
      return !error.message.includes(secretWord)
    })
  }
  assert.deepEqual(await names(fixture.context), ['in-cluster https://kubernetes.default.svc'])
})
