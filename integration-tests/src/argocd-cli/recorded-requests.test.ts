import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { KnownFields } from '../plugin-protocol/protobuf-wire-fixture.ts'
import { readApplication, readProject } from './application-messages-fixture.ts'
import { type Connect, nativeConnection, webConnection } from './command-line-fixture.ts'
import { type RecordedRequest, recordedRequests } from './recorded-requests-fixture.ts'
import { login, type Served, startServed } from './served-fixture.ts'

function testRecordedRequests(connect: () => { served: Served; connect: Connect }): void {
  let token = ''
  before(async () => {
    token = await login(connect().connect, connect().served.password)
  })
  const send = async ({ method, request }: RecordedRequest): Promise<Buffer> => {
    using connection = connect().connect(token)
    return await connection.call(method, request)
  }
  const listed = async () =>
    new KnownFields(await send(recordedRequests.listApplications), [1, 2]).all(2).map(readApplication)

  test('an Application is created, listed, changed and deleted', async () => {
    await assert.rejects(send(recordedRequests.getApplication), {
      code: status.NOT_FOUND,
      message: 'applications.argoproj.io "shop-web" not found',
    })
    const created = readApplication(await send(recordedRequests.createApplication))
    const expected = {
      name: 'shop-web',
      namespace: 'argocd',
      labels: [['team', 'shop']],
      project: 'default',
      destinationNamespace: 'shop',
      dry: ['http://127.0.0.1:1/deploy.git', 'main', 'apps/web'],
      synced: ['environments/prod', 'web'],
      hasSource: false,
      sync: 'Unknown',
      health: 'Unknown',
      conditions: [],
      history: [],
    }
    assert.deepEqual(created, expected)
    assert.deepEqual(
      (await listed()).map(({ name, project }) => [name, project]),
      [['shop-web', 'default']],
    )
    const shown = readApplication(await send(recordedRequests.getApplication))
    assert.deepEqual({ ...shown, conditions: [] }, expected)
    // Nothing listens there, which is reported and hides nothing else.
    const [condition] = shown.conditions
    assert.equal(condition?.type, 'ComparisonError')
    assert.match(condition?.message ?? '', /^the hydrated branch cannot be read: .*127\.0\.0\.1/)

    await send(recordedRequests.setNamespace)
    await send(recordedRequests.setRevision)
    assert.deepEqual(
      (await listed()).map(({ labels, dry, hasSource }) => [labels, dry, hasSource]),
      [[[['team', 'shop']], ['http://127.0.0.1:1/deploy.git', 'next', 'apps/web'], false]],
    )

    await send(recordedRequests.deleteApplication)
    assert.deepEqual(await listed(), [])
    using connection = connect().connect(token)
    const { method, request } = recordedRequests.watchApplication
    for await (const event of connection.stream(method, request)) {
      const fields = new KnownFields(event, [1, 2])
      assert.equal(fields.text(1), 'DELETED')
      assert.equal(readApplication(fields.all(2)[0] ?? Buffer.alloc(0)).name, 'shop-web')
      return
    }
    assert.fail('the deletion was not delivered')
  })

  test('an Application that exists and differs is refused with the expected message', async () => {
    await send(recordedRequests.createApplication)
    await send(recordedRequests.setNamespace)
    await assert.rejects(send(recordedRequests.createApplication), (error: Error & { code?: number }) => {
      assert.match(error.message, /^existing application spec is different; use upsert flag to force update/)
      return error.code === status.INVALID_ARGUMENT
    })
    await send(recordedRequests.deleteApplication)
  })

  test('the error for an unsupported command says what to do instead', async () => {
    await assert.rejects(send(recordedRequests.syncApplication), (error: Error & { code?: number }) => {
      assert.match(error.message, /^Wadi applies nothing to clusters\. `wadi app hydrate NAME`/)
      return error.code === status.UNIMPLEMENTED
    })
    const { request } = recordedRequests.getApplication
    for (const [method, words] of [
      ['Rollback', /revert the commit in the dry repository/],
      ['ResourceTree', /^Wadi reads no cluster/],
      ['TerminateOperation', /no operation to end/],
      ['Patch', /argocd app set/],
    ] as const) {
      const call = send({ method: `/application.ApplicationService/${method}`, request })
      await assert.rejects(call, (error: Error & { code?: number }) => {
        assert.match(error.message, words)
        return error.code === status.UNIMPLEMENTED
      })
    }
  })

  test('a project is created, read in detail and deleted, and its roles have tokens', async () => {
    const project = { name: 'shop', description: 'Shops', sourceRepos: ['http://127.0.0.1:1/deploy.git'] }
    assert.deepEqual(readProject(await send(recordedRequests.createProject)), project)
    const detailed = new KnownFields(await send(recordedRequests.getDetailedProject), [1, 2, 3, 4])
    assert.deepEqual(detailed.all(2).map(readProject), [project])
    await assert.rejects(send(recordedRequests.createToken), { code: status.NOT_FOUND })
    await send(recordedRequests.deleteProject)
    await assert.rejects(send(recordedRequests.getDetailedProject), { code: status.NOT_FOUND })
  })

  test('a cluster is read without credentials', async () => {
    const cluster = new KnownFields(await send(recordedRequests.getCluster), [1, 2, 4, 5, 6, 8, 11, 12, 13])
    assert.deepEqual([cluster.text(1), cluster.text(2)], ['https://kubernetes.default.svc', 'in-cluster'])
    assert.equal(new KnownFields(cluster.all(4)[0] ?? Buffer.alloc(0), [1, 2, 3]).text(1), 'Unknown')
  })

  test('credentials for all repositories below a URL are stored, shown without secrets and removed', async () => {
    const created = await send(recordedRequests.createCredentials)
    assert.equal(new KnownFields(created, [1, 2, 12]).text(2), 'bot')
    assert.ok(!created.includes('secret-of-a-test'))
    await assert.rejects(send(recordedRequests.getRepository), { code: status.NOT_FOUND })
    await send(recordedRequests.deleteCredentials)
    await assert.rejects(send(recordedRequests.deleteCredentials), { code: status.NOT_FOUND })
  })

  test('a repository of charts is checked before it is added, as one of git is', async () => {
    await assert.doesNotReject(send(recordedRequests.validateHelmRepository))
  })
}

describe('requests of a real argocd', () => {
  let served: Served
  before(async () => {
    served = await startServed(false)
  })
  after(() => served[Symbol.asyncDispose]())
  describe('natively', () =>
    testRecordedRequests(() => ({ served, connect: (token) => nativeConnection(served.address, token) })))
  describe('over gRPC-web', () =>
    testRecordedRequests(() => ({ served, connect: (token) => webConnection(served.address, token) })))
})
