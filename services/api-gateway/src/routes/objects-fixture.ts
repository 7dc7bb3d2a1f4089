import assert from 'node:assert/strict'
import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import {
  ExplainObjectRequestSchema,
  GetObjectRequestSchema,
  ListObjectOriginsRequestSchema,
  ListObjectsRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { keepObjects } from '../applications/kept-objects.ts'
import { keepOrigins } from '../applications/object-origins.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { explainObject } from './explain-object.ts'
import { getObject } from './get-object.ts'
import { listObjectOrigins } from './list-object-origins.ts'
import { listObjects } from './list-objects.ts'

/** The hydrated commit. */
export const head = 'b'.repeat(40)
/** The value of a Secret, as it is stored. */
export const password = Buffer.from('hunter2').toString('base64')

/** Objects in two files, as a layout with CustomResourceDefinitions apart writes them. */
const definitions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: rules.example.com
`
/** The objects of `manifest.yaml`. */
export const others = `apiVersion: v1
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

const recorded: JsonObject = { drySha: 'e'.repeat(40) }

/** Opens a gateway with the Application `shop`, whose branch holds the objects above. */
export async function openShop({
  manifest = `${definitions}---\n${others}`,
  objectFiles = files,
  metadata = recorded,
} = {}) {
  const referenced: string[] = []
  const fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: ({ revisions }) => ({ revisions: [{ sha: revisions[0] ?? '' }] }),
      getParameters: ({ explain }) => ({
        explained: explain ? explained : [],
        explainedLeftOut: explain ? 7 : 0,
      }),
      async *renderSources({ withOrigins, referenced: read }) {
        referenced.push(...read.map(({ sha }) => sha))
        assert.equal(withOrigins, true)
        yield { manifests: rendered.map((object) => JSON.stringify(object)), done: true, record: { origins } }
      },
    },
    commitServer: {
      getManifests: () => ({
        manifest,
        hydratedSha: head,
        drySha: 'd'.repeat(40),
        metadata: JSON.stringify(metadata),
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
  const listOrigins = (name = 'shop') =>
    listObjectOrigins(
      context,
      kept,
      originsOf,
    )(create(ListObjectOriginsRequestSchema, { ...named, name }), callContext())
  const explain = (object: Record<string, string>) =>
    explainObject(
      context,
      kept,
      originsOf,
    )(create(ExplainObjectRequestSchema, { ...named, object }), callContext())
  return {
    fixture,
    context,
    referenced,
    list,
    get,
    listOrigins,
    explain,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

/** Returns the objects of a list as text. */
export const shown = ({ objects }: Awaited<ReturnType<Awaited<ReturnType<typeof openShop>>['list']>>) =>
  objects.map(({ identity: { kind, namespace, name }, file, line }) => {
    return `${kind} ${namespace}/${name} ${file}:${line}`
  })
