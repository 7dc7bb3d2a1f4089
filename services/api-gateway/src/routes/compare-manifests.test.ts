import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { CompareManifestsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { compareManifests } from './compare-manifests.ts'

const sha = { old: 'a'.repeat(40), new: 'b'.repeat(40) }

const configMap = (name: string, namespace: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {value: "${value}"}\n`

const secret = (value: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: token}\ndata: {token: ${Buffer.from(value).toString('base64')}}\n`

/** A gateway with the Applications `dev` and `prod`, each with a namespace of its own. */
async function openWithTwo() {
  const manifests: Record<string, string> = {
    [sha.old]: [configMap('web', 'dev', '1'), secret('hunter2')].join('---\n'),
    [sha.new]: [configMap('web', 'dev', '2'), secret('hunter3')].join('---\n'),
    'environments/prod': [configMap('web', 'prod', '2'), configMap('rule', 'kube-system', '1')].join('---\n'),
  }
  const fixture = await openGatewayFixture({
    commitServer: {
      getManifests: ({ revision }) => ({
        manifest: manifests[revision] ?? '',
        hydratedSha: revision,
        drySha: 'd'.repeat(40),
      }),
    },
  })
  for (const name of ['dev', 'prod']) {
    const destination = { server: 'https://kubernetes.default.svc', namespace: name }
    await fixture.context.store.create(sampleApplication(name, { destination, project: name }))
  }
  const compare = (request: MessageInitShape<typeof CompareManifestsRequestSchema>, call = callContext()) =>
    compareManifests(fixture.context)(create(CompareManifestsRequestSchema, request), call)
  return { fixture, compare, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('two hydrated commits of an Application are compared object by object, with Secrets masked', async () => {
  await using gateway = await openWithTwo()
  const answer = await gateway.compare({
    before: { name: 'dev', hydratedSha: sha.old },
    after: { name: 'dev', hydratedSha: sha.new },
  })
  assert.deepEqual(
    answer.objects.map(({ change, identity }) => [change, identity?.kind, identity?.namespace]),
    [
      ['changed', 'ConfigMap', 'dev'],
      ['changed', 'Secret', ''],
    ],
  )
  assert.deepEqual(
    [answer.beforeSha, answer.afterSha, answer.afterDrySha],
    [sha.old, sha.new, 'd'.repeat(40)],
  )
  const text = JSON.stringify(answer)
  for (const value of ['hunter2', 'hunter3'])
    assert.ok(!text.includes(Buffer.from(value).toString('base64')), value)
})

test('the namespaces of two destinations are taken for one, others are not', async () => {
  await using gateway = await openWithTwo()
  const { objects } = await gateway.compare({
    before: { name: 'dev', hydratedSha: sha.new },
    after: { name: 'prod' },
  })
  assert.deepEqual(
    objects.map(
      ({ change, identity }) => `${change} ${identity?.kind} ${identity?.namespace}/${identity?.name}`,
    ),
    ['created ConfigMap kube-system/rule', 'removed Secret /token'],
  )
})

test('both Applications must be visible, and both commits whole', async () => {
  await using gateway = await openWithTwo()
  await storePolicy(gateway.fixture.context, 'p, ada, applications, get, dev/*, allow')
  await assert.rejects(gateway.compare({ before: { name: 'dev' }, after: { name: 'prod' } }, callBy('ada')), {
    name: 'NotFoundError',
  })
  await assert.rejects(
    gateway.compare({ before: { name: 'dev', hydratedSha: 'abc' }, after: { name: 'dev' } }),
    {
      message: /"abc" is not a full commit id/,
    },
  )
  await assert.rejects(gateway.compare({ before: { name: 'dev' } }), {
    message: 'before and after are required',
  })
})
