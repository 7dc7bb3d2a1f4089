import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ListObjectsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { head, openShop, others, password, shown } from './objects-fixture.ts'

test('objects are listed by kind, each with its file and line, and counted', async () => {
  await using gateway = await openShop()
  const answer = await gateway.list()
  const directory = answer.objects[0]?.file.split('/').slice(0, -1).join('/')
  assert.ok(directory)
  assert.deepEqual(shown(answer), [
    `ConfigMap other/listed ${directory}/manifest.yaml:23`,
    `ConfigMap shop/web ${directory}/manifest.yaml:1`,
    `CustomResourceDefinition /rules.example.com ${directory}/crds.yaml:1`,
    `Deployment shop/web ${directory}/manifest.yaml:17`,
    `Secret other/listed ${directory}/manifest.yaml:23`,
    `Secret shop/web ${directory}/manifest.yaml:9`,
  ])
  assert.deepEqual(
    answer.kinds.map(({ kind, total }) => `${kind} ${total}`),
    ['ConfigMap 2', 'CustomResourceDefinition.apiextensions.k8s.io 1', 'Deployment.apps 1', 'Secret 2'],
  )
  assert.deepEqual(
    [answer.total, answer.hydratedSha, answer.drySha, answer.namespaces],
    [6, head, 'd'.repeat(40), ['', 'other', 'shop']],
  )
})

test('text, kinds and namespaces narrow the list, and pages follow each other', async () => {
  await using gateway = await openShop()
  const names = async (request: MessageInitShape<typeof ListObjectsRequestSchema>) =>
    shown(await gateway.list(request)).map((line) => line.split(' ').slice(0, 2).join(' '))
  assert.deepEqual(await names({ text: 'hELLO' }), ['ConfigMap shop/web'])
  assert.deepEqual(await names({ text: 'deployment.apps' }), ['Deployment shop/web'])
  assert.deepEqual(await names({ kinds: ['Secret'], namespaces: ['shop'] }), ['Secret shop/web'])
  assert.deepEqual(await names({ namespaces: [''] }), ['CustomResourceDefinition /rules.example.com'])
  assert.deepEqual(await names({ offset: 4, limit: 1, hydratedSha: head }), ['Secret other/listed'])
  const { kinds, total } = await gateway.list({ kinds: ['Secret'] })
  assert.deepEqual([kinds.length, total], [4, 2])
  await assert.rejects(gateway.list({ limit: 501 }), /limit must be 1 to 500/)
  await assert.rejects(gateway.list({ hydratedSha: 'main' }), /"main" is not a full commit id/)
})

test('values of Secrets are neither found nor shown', async () => {
  await using gateway = await openShop()
  assert.equal((await gateway.list({ text: password })).total, 0)
  assert.equal((await gateway.list({ text: 'hunter2' })).total, 0)
  for (const namespace of ['shop', 'other']) {
    const name = namespace === 'shop' ? 'web' : 'listed'
    const { yaml, object } = await gateway.get({ kind: 'Secret', namespace, name })
    const [listed] = (await gateway.list({ kinds: ['Secret'], namespaces: [namespace] })).objects
    assert.deepEqual([object.characters, listed?.characters], [yaml.length, yaml.length])
    assert.match(yaml, /<hidden [0-9a-f]{10}>/)
    assert.doesNotMatch(yaml, /hunter2/)
    assert.ok(!yaml.includes(password))
  }
})

for (const [written, text] of [
  ['below a directive', `%YAML 1.1\n---\n${others}`],
  ['with carriage returns alone', others.replaceAll('\n', '\r')],
] as const) {
  test(`an object beside a Secret has no text of it ${written}`, async () => {
    await using gateway = await openShop({ manifest: text, objectFiles: [] })
    for (const sought of [password, 'hunter2']) assert.equal((await gateway.list({ text: sought })).total, 0)
    const { yaml } = await gateway.get({ kind: 'ConfigMap', namespace: 'shop', name: 'web' })
    assert.match(yaml, /^apiVersion: v1\ndata:\n  greeting: Hello\nkind: ConfigMap\n/)
    assert.ok(!yaml.includes(password))
    assert.equal((await gateway.list({ text: 'hello' })).total, 1)
  })
}

test('an object is read by its identity, from what is kept of the commit', async () => {
  await using gateway = await openShop()
  const { yaml, leftOut, object } = await gateway.get({
    kind: 'Deployment',
    group: 'apps',
    namespace: 'shop',
    name: 'web',
  })
  assert.match(yaml, /^apiVersion: apps\/v1\nkind: Deployment\n/)
  assert.deepEqual([leftOut, object.line], [0, 17])
  await gateway.list({ hydratedSha: head })
  assert.equal(gateway.fixture.calls.filter((call) => call.endsWith('/GetManifests')).length, 1)
  await assert.rejects(gateway.get({ kind: 'Deployment', namespace: 'shop', name: 'web' }), {
    name: 'NotFoundError',
    message: 'hydrated commit bbbbbbb has no Deployment shop/web of application shop',
  })
})

test('who may not see the Application sees no object', async () => {
  await using gateway = await openShop()
  await storePolicy(gateway.context, 'p, ada, applications, get, other/*, allow')
  await assert.rejects(gateway.list({}, callBy('ada')), { name: 'NotFoundError' })
  await assert.rejects(gateway.get({ kind: 'ConfigMap', namespace: 'shop', name: 'web' }, callBy('ada')), {
    name: 'NotFoundError',
  })
})

test('calls for the head of the branch share one read', async () => {
  await using gateway = await openShop()
  await Promise.all([gateway.list(), gateway.list({ text: 'hello' }), gateway.list({ limit: 1 })])
  assert.equal(gateway.fixture.calls.filter((call) => call.endsWith('/GetManifests')).length, 1)
})
