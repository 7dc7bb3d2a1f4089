import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  ExplainObjectRequestSchema,
  GetObjectRequestSchema,
  ListObjectOriginsRequestSchema,
  ListObjectsRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { keepObjects } from '../applications/kept-objects.ts'
import { keepOrigins } from '../applications/object-origins.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { explainObject } from './explain-object.ts'
import { getObject } from './get-object.ts'
import { listObjectOrigins } from './list-object-origins.ts'
import { listObjects } from './list-objects.ts'

const head = 'b'.repeat(40)
const password = Buffer.from('hunter2').toString('base64')

/** Objects in two files, as a layout with CustomResourceDefinitions apart writes them. */
const definitions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: rules.example.com
`
const others = `apiVersion: v1
data:
  greeting: Hello
kind: ConfigMap
metadata:
  name: web
  namespace: shop
---
apiVersion: v1
data:
  password: ${password}
kind: Secret
metadata:
  name: web
  namespace: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
---
apiVersion: v1
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: listed, namespace: other}
  - apiVersion: v1
    kind: Secret
    metadata: {name: listed, namespace: other}
    stringData: {token: hunter2}
kind: List
`

const origins = {
  origins: [
    {
      owners: ['shop'],
      template: 'templates/web.yaml',
      file: 'chart/templates/web.yaml',
      reads: ['.greeting'],
    },
    { owners: ['shop', 'redis'], template: 'templates/more.yaml', file: '', reads: [] },
  ],
  originOf: [1, 1, 2, 0],
}
const rendered = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web', namespace: 'shop' } },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'listed', namespace: 'other' } },
]
const parameter = (path: string, text: string) => ({
  of: 'values of chart "shop"',
  path,
  value: { kind: { case: 'stringValue' as const, value: text } },
})
const explained = [
  parameter('.greeting.text', 'Hello'),
  parameter('.other', 'Deployment'),
  parameter('.secret', 'hunter2'),
]

const files = [
  { path: 'crds.yaml', lines: 5 },
  { path: 'manifest.yaml', lines: 38 },
]

async function openShop(manifest = `${definitions}---\n${others}`, objectFiles = files) {
  const fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: ({ revisions }) => ({ revisions: [{ sha: revisions[0] ?? '' }] }),
      getParameters: ({ explain }) => ({ explained: explain ? explained : [] }),
      async *renderSources({ withOrigins }) {
        assert.equal(withOrigins, true)
        yield { manifests: rendered.map((object) => JSON.stringify(object)), done: true, record: { origins } }
      },
    },
    commitServer: {
      getManifests: () => ({
        manifest,
        hydratedSha: head,
        drySha: 'd'.repeat(40),
        metadata: JSON.stringify({ drySha: 'e'.repeat(40) }),
        objectFiles,
      }),
    },
  })
  const { context } = fixture
  await context.store.create(sampleApplication('shop'))
  const kept = keepObjects(context)
  const originsOf = keepOrigins(context)
  const list = (request: MessageInitShape<typeof ListObjectsRequestSchema> = {}, call = callContext()) =>
    listObjects(
      context,
      kept,
      originsOf,
    )(create(ListObjectsRequestSchema, { name: 'shop', ...request }), call)
  const get = (object: Record<string, string>, call = callContext()) =>
    getObject(context, kept)(
      create(GetObjectRequestSchema, { name: 'shop', hydratedSha: head, object }),
      call,
    )
  const named = { name: 'shop', hydratedSha: head }
  const listOrigins = () =>
    listObjectOrigins(context, kept, originsOf)(create(ListObjectOriginsRequestSchema, named), callContext())
  const explain = (object: Record<string, string>) =>
    explainObject(
      context,
      kept,
      originsOf,
    )(create(ExplainObjectRequestSchema, { ...named, object }), callContext())
  return {
    fixture,
    context,
    list,
    get,
    listOrigins,
    explain,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

const shown = ({ objects }: Awaited<ReturnType<Awaited<ReturnType<typeof openShop>>['list']>>) =>
  objects.map(({ identity: { kind, namespace, name }, file, line }) => {
    return `${kind} ${namespace}/${name} ${file}:${line}`
  })

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
    await using gateway = await openShop(text, [])
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

test('objects are found by the template that made them, rendered once for a commit', async () => {
  await using gateway = await openShop()
  const answer = await gateway.listOrigins()
  assert.deepEqual(
    answer.origins.map(({ origin, objects, drySha, source }) => [origin.template, objects, drySha, source]),
    [
      ['templates/more.yaml', 1, 'e'.repeat(40), 0],
      ['templates/web.yaml', 2, 'e'.repeat(40), 0],
    ],
  )
  assert.equal(answer.unknown, 3)
  assert.deepEqual(
    shown(await gateway.list({ origin: 2 })).map((line) => line.split(' ')[0]),
    ['ConfigMap', 'Secret'],
  )
  assert.equal((await gateway.list({ origin: 0 })).total, 3)
  assert.equal(gateway.fixture.calls.filter((call) => call.endsWith('/RenderSources')).length, 1)
})

test('an object is explained by its template and the values that it reads, else by those in its text', async () => {
  await using gateway = await openShop()
  const web = { namespace: 'shop', name: 'web' }
  const byTemplate = await gateway.explain({ kind: 'ConfigMap', ...web })
  assert.equal(byTemplate.origin?.origin.file, 'chart/templates/web.yaml')
  assert.deepEqual(
    [byTemplate.values.map(({ path }) => path), byTemplate.byText],
    [['.greeting.text'], false],
  )
  const byText = await gateway.explain({ kind: 'Deployment', group: 'apps', ...web })
  assert.deepEqual([byText.values.map(({ path }) => path), byText.byText], [['.other'], true])
  const secret = await gateway.explain({ kind: 'Secret', namespace: 'other', name: 'listed' })
  assert.deepEqual([secret.origin, secret.values], [undefined, []])
})
