import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContextValues } from '@connectrpc/connect'
import { PermissionDeniedError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { until } from '@wadi/testing/until.ts'
import { connectTo } from '../service-base.ts'
import { createServiceIdentity, endUserKey } from '../service-identity.ts'
import { startAccountServices } from './account-services-fixture.ts'

const audience = 'wadi-repo-server'
const hydrator = { service: 'hydrator', proof: 'account' }

for (const { name, missing, open } of testClusterKinds) {
  test(
    `a service is known by the token of its account at the ${name}`,
    { skip: missing ?? false },
    async () => {
      await using cluster = await open()
      const namespace = await cluster.createNamespace()
      await using services = await startAccountServices(cluster.config, namespace)
      const { calls, address } = await services.serveCallers('repo-server')
      const token = await cluster.accountToken(namespace, 'wadi-hydrator', audience)
      await services.call(address, 'hydrator', token)
      assert.deepEqual(calls, [hydrator])

      const ofAnother = await cluster.accountToken(namespace, 'default', audience)
      await assert.rejects(services.call(address, 'hydrator', ofAnother), {
        name: PermissionDeniedError.name,
        message: new RegExp(
          `the ServiceAccount default of namespace ${namespace}, .* allowed are ${namespace}/wadi-api-gateway, ${namespace}/wadi-hydrator, `,
        ),
      })
      const elsewhere = await cluster.createNamespace()
      const ofElsewhere = await cluster.accountToken(elsewhere, 'wadi-hydrator', audience)
      await assert.rejects(services.call(address, 'hydrator', ofElsewhere), {
        name: PermissionDeniedError.name,
        message: new RegExp(`the ServiceAccount wadi-hydrator of namespace ${elsewhere}, `),
      })
      const forAnother = await cluster.accountToken(namespace, 'wadi-hydrator', 'wadi-commit-server')
      await assert.rejects(services.call(address, 'hydrator', forAnother), {
        name: UnauthenticatedError.name,
        message: /unexpected "aud" claim value/,
      })
      // As other callers see it, not as a number of a test: signed by nobody, or signed for another text.
      await assert.rejects(services.call(address, 'hydrator', `${token.slice(0, -8)}AAAAAAAA`), {
        name: UnauthenticatedError.name,
        message: /signature verification failed/,
      })
      assert.deepEqual(calls, [hydrator])
    },
  )

  test(`services know each other while the ${name} is away`, { skip: missing ?? false }, async () => {
    await using cluster = await open()
    const namespace = await cluster.createNamespace()
    const accounts = ['wadi-hydrator', 'wadi-api-gateway']
    const tokens = await Promise.all(
      accounts.map((account) => cluster.accountToken(namespace, account, audience)),
    )
    await using services = await startAccountServices(cluster.config, namespace)
    const { calls, address } = await services.serveCallers('repo-server')
    await until(async () => (await fetch(`${address}/readyz`)).status === 200)
    cluster.relay.refuse()
    await services.call(address, 'hydrator', tokens[0] ?? '')
    await services.call(address, 'api-gateway', tokens[1] ?? '')
    assert.deepEqual(calls, [hydrator, { service: 'api-gateway', proof: 'account' }])
  })
}

const [standIn] = testClusterKinds
assert.ok(standIn)

test('a service that cannot read the keys of the cluster is not ready and says so, until it can', async () => {
  await using cluster = await standIn.open()
  const namespace = await cluster.createNamespace()
  const token = await cluster.accountToken(namespace, 'wadi-hydrator', audience)
  await using services = await startAccountServices(cluster.config, namespace)
  cluster.relay.refuse()
  const { calls, address } = await services.serveCallers('repo-server')
  const readyz = await fetch(`${address}/readyz`)
  assert.equal(readyz.status, 503)
  assert.match(await readyz.text(), /^callers: the keys of ServiceAccount tokens cannot be read /)
  await assert.rejects(services.call(address, 'hydrator', token), { name: 'UnavailableError' })
  cluster.relay.accept()
  await until(async () => (await fetch(`${address}/readyz`)).status === 200)
  await services.call(address, 'hydrator', token)
  assert.deepEqual(calls, [hydrator])
})

test('the end user is passed on by whom the rules allow alone', async () => {
  await using cluster = await standIn.open()
  const namespace = await cluster.createNamespace()
  await using services = await startAccountServices(cluster.config, namespace)
  const { calls, address } = await services.serveCallers('appset-service')
  const user = { subject: 'änn', groups: ['dev', 'ops'] }
  const forUser = { contextValues: createContextValues().set(endUserKey, user) }
  const callAs = async (service: string) => {
    const token = await cluster.accountToken(namespace, `wadi-${service}`, 'wadi-appset-service')
    const base = await services.open(service, { 'appset-service': token })
    await using client = await connectTo(base, ApplicationSetService, 'appset-service', [address])
    await client.listApplicationSets({}, forUser)
  }
  await callAs('api-gateway')
  await assert.rejects(callAs('hydrator'), PermissionDeniedError)
  assert.deepEqual(calls, [user])
})

test('a token of the shared key is of no use where accounts are known', async () => {
  await using cluster = await standIn.open()
  const namespace = await cluster.createNamespace()
  await using services = await startAccountServices(cluster.config, namespace)
  const { address } = await services.serveCallers('repo-server')
  const forged = createServiceIdentity({ key: Buffer.alloc(32, 1), service: 'hydrator' })
  await assert.rejects(services.call(address, 'hydrator', await forged.token('repo-server')), {
    name: UnauthenticatedError.name,
  })
})

test('the key proves a service where there is no token, and seals; without a key neither works', async () => {
  await using cluster = await standIn.open()
  await using services = await startAccountServices(cluster.config, await cluster.createNamespace())
  const key = 'k'.repeat(32)
  const withKey = (await services.open('repo-server', {}, key)).identity
  const plugin = createServiceIdentity({ key: Buffer.from(key), service: 'cmp-server' })
  assert.deepEqual(await plugin.verifyToken(await withKey.token('cmp-server')), {
    service: 'repo-server',
    proof: 'token',
  })
  assert.equal(withKey.sealFor('test')('text'), plugin.sealFor('test')('text'))
  const { identity } = await services.open('hydrator')
  await assert.rejects(
    identity.token('repo-server'),
    /no token for repo-server; mount one in WADI_SERVICE_TOKENS_DIR/,
  )
  assert.throws(() => identity.sealFor('test'), /hydrator needs a key .* WADI_SERVICE_KEY_FILE/)
  await assert.rejects(services.open('hydrator', {}, 'short'), /a service key needs at least 32 bytes/)
})
