import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetManifestsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { getManifests } from './get-manifests.ts'

const secret = (password: string, name = 'web') =>
  `apiVersion: v1\ndata:\n  password: ${password}\nkind: Secret\nmetadata:\n  name: ${name}\n`
const configMap = 'apiVersion: v1\ndata:\n  a: "1"\nkind: ConfigMap\nmetadata:\n  name: web\n'

/** A gateway whose branch holds a text, which `ann` may read with and `bob` without its Secrets. */
async function openHolding(manifest: () => string) {
  const fixture = await openGatewayFixture({
    commitServer: { getManifests: () => ({ manifest: manifest() }) },
  })
  const { context } = fixture
  for (const name of ['web', 'api']) await context.store.create(sampleApplication(name))
  await storePolicy(
    context,
    'p, ann, applications, get, default/*, allow',
    'p, ann, secrets, get, default/web, allow',
    'p, bob, applications, get, default/*, allow',
  )
  const read = (user: string, plainSecrets = false, name = 'web') =>
    getManifests(context)(create(GetManifestsRequestSchema, { name, plainSecrets }), callBy(user))
  return { read, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('values of Secrets are shown only to those who ask for them and may get them', async () => {
  const text = `${configMap}---\n${secret('aHVudGVyMg==')}`
  await using gateway = await openHolding(() => text)
  const shown = await gateway.read('ann', true)
  assert.deepEqual([shown.manifest, shown.hiddenSecrets], [text, 0])
  const hidden = await Promise.all([
    gateway.read('ann'),
    gateway.read('bob', true),
    gateway.read('ann', true, 'api'),
  ])
  for (const { manifest, hiddenSecrets } of hidden) {
    assert.equal(hiddenSecrets, 1)
    assert.match(manifest, /^ {2}password: <hidden [0-9a-f]{10}>$/m)
    assert.ok(manifest.startsWith(`${configMap}---\n`))
    assert.doesNotMatch(manifest, /aHVudGVy/)
  }
})

test('equal values are hidden alike from one call to the next, and those of another Secret or Application are not', async () => {
  let text = secret('aHVudGVyMg==')
  await using gateway = await openHolding(() => text)
  const digits = async (name = 'web') =>
    /<hidden (.*)>/.exec((await gateway.read('bob', false, name)).manifest)?.[1]
  const first = await digits()
  assert.notEqual(first, undefined)
  assert.equal(await digits(), first)
  assert.notEqual(await digits('api'), first)
  text = secret('aHVudGVyMw==')
  assert.notEqual(await digits(), first)
  text = secret('aHVudGVyMg==', 'other')
  assert.notEqual(await digits(), first)
})

test('a Secret is found however its kind is spelled, also within a List', async () => {
  const spelled = [
    'kind: "\\x53ecret"',
    'kind: !!binary U2VjcmV0',
    'kind: List\nitems: [{apiVersion: v1, kind: Secret, stringData: {a: hunter2}}]',
  ]
  for (const kind of spelled) {
    await using gateway = await openHolding(() => `apiVersion: v1\n${kind}\nstringData: {a: hunter2}\n`)
    assert.doesNotMatch((await gateway.read('bob')).manifest, /hunter2/, kind)
  }
})

test('a text that is not manifests is not shown to those who may not see Secrets, and others get its bytes', async () => {
  await using gateway = await openHolding(() => 'kind: Secret\n: hunter2: [\n')
  await assert.rejects(gateway.read('bob'), (error: Error) => {
    assert.equal(error.name, 'InvalidInputError')
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  })
  assert.match((await gateway.read('ann', true)).manifest, /hunter2/)
})
