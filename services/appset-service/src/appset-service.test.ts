import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { createContextValues } from '@connectrpc/connect'
import {
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, endUserKey, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startAppsetService } from './appset-service.ts'
import { appsetServiceSettings } from './settings.ts'

await using starting = new AsyncDisposableStack()
const directory = starting.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-appset-'))).path
const key = path.join(directory, 'service.key')
const argv = [
  '--listen',
  '127.0.0.1:0',
  '--data-dir',
  directory,
  '--service-key-file',
  key,
  '--max-applications',
  '5',
  '--repo-servers',
  'http://127.0.0.1:1',
  '--log-level',
  'error',
]
const server = starting.use(await startAppsetService(readSettings(appsetServiceSettings, { env: {}, argv })))
const client = starting.use(
  await createServiceClient(ApplicationSetService, {
    endpoints: [server.address],
    identity: createServiceIdentity({ key: await loadServiceKey(key), service: 'api-gateway' }),
    audience: 'appset-service',
  }),
)
const store = starting.use(openSqliteStore({ file: path.join(directory, 'state.db') }))
for (const name of ['p', 'q', 'base']) {
  await store.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', name: '*', namespace: '*' }] },
  })
}
const running = starting.move()
after(() => running.disposeAsync())

const template = (name: string, address: string): JsonObject => ({
  metadata: { name, labels: { '{{key}}': 'x' } },
  spec: {
    project: 'default',
    source: {
      repoURL: 'https://example.com/r.git',
      path: 'apps',
      helm: { valuesObject: { replicas: 2, tags: ['{{env}}'] } },
    },
    destination: { server: address, namespace: 'apps' },
  },
})

function setOf(spec: JsonObject): JsonObject {
  const metadata = { name: 'set', namespace: 'argocd' }
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata, spec }
}

const as = (subject: string) => ({
  contextValues: createContextValues().set(endUserKey, { subject, groups: [] }),
})

async function generate(spec: JsonObject) {
  return (await client.generateApplications({ applicationSet: setOf(spec) }, as('admin'))).applications
}

const list = (...elements: JsonObject[]): JsonObject => ({ list: { elements } })

async function assertRefused(spec: JsonObject, message: RegExp): Promise<void> {
  await assert.rejects(
    generate(spec),
    (error) => error instanceof InvalidInputError && message.test(error.message),
  )
}

test('the default engine puts the elements of a list into every text of the template', async () => {
  const applications = await generate({
    generators: [
      list(
        { env: 'dev', url: 'https://dev', key: 'a', values: { extra: '0' } },
        { env: 'prod', url: 'https://prod', key: 'b', values: { extra: '1' } },
      ),
    ],
    template: template('app-{{env}}{{values.extra}}', '{{ url }}'),
  })
  const finalizers = ['resources-finalizer.argocd.argoproj.io']
  assert.deepEqual(applications[1], {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app-prod1', namespace: 'argocd', labels: { b: 'x' }, finalizers },
    spec: {
      project: 'default',
      source: {
        repoURL: 'https://example.com/r.git',
        path: 'apps',
        helm: { valuesObject: { replicas: 2, tags: ['prod'] } },
      },
      destination: { server: 'https://prod', namespace: 'apps' },
    },
  })
  assert.equal(applications.length, 2)
})

const goSet = (spec: JsonObject): JsonObject => ({
  goTemplate: true,
  goTemplateOptions: ['missingkey=error'],
  ...spec,
})
const destination = { server: 'https://a' }
const goTemplate = {
  metadata: { name: '{{ .env.name | lower }}' },
  spec: { project: '{{ .project }}', destination },
}

test('Go templates see the elements as they are, those of elementsYaml too', async () => {
  const applications = await generate(
    goSet({
      generators: [
        {
          list: {
            elements: [{ env: { name: 'DEV' }, project: 'p' }],
            elementsYaml: '- env: {name: PROD}\n  project: q\n',
          },
        },
      ],
      syncPolicy: { preserveResourcesOnDeletion: true },
      template: goTemplate,
    }),
  )
  assert.deepEqual(
    applications.map(({ metadata, spec }) => ({ metadata, spec })),
    [
      { metadata: { name: 'dev', namespace: 'argocd' }, spec: { project: 'p', destination } },
      { metadata: { name: 'prod', namespace: 'argocd' }, spec: { project: 'q', destination } },
    ],
  )
})

test("a generator's own template goes before that of the set", async () => {
  const own = { metadata: { name: 'own-{{env}}' }, spec: { project: '' } }
  const [application] = await generate({
    generators: [{ list: { elements: [{ env: 'a' }], template: own } }],
    template: { metadata: { name: 'base' }, spec: { project: 'base', destination: { name: '{{env}}' } } },
  })
  assert.deepEqual(application?.['spec'], { project: 'base', destination: { name: 'a' } })
  assert.deepEqual(application?.['metadata'], {
    name: 'own-a',
    namespace: 'argocd',
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  })
})

test('an empty element takes the template as it is, and no elements make no Applications', async () => {
  const plain = {
    metadata: { name: 'plain' },
    spec: { project: 'p', destination: { name: '{{x}}' } },
  }
  const [application] = await generate({ generators: [list({})], template: plain })
  assert.deepEqual(
    [application?.['metadata'], application?.['spec']],
    [{ name: 'plain', namespace: 'argocd' }, plain.spec],
  )
  assert.deepEqual(await generate({ generators: [list()], template: plain }), [])
})

test('an error names the generator, the element and the key', async () => {
  const base = template('app-{{env}}', 'https://a')
  await assertRefused(
    { generators: [list(), list({ env: 'a' }, { env: 1 })], template: base },
    /^spec\.generators\[1\]\.list\.elements\[1\]\.env: error parsing value as string/,
  )
  await assertRefused(
    { generators: [list({ env: 'A' })], template: base },
    /^spec\.generators\[0\]\.list\.elements\[0\]: Application argocd\/app-A: metadata\.name/,
  )
  await assertRefused(
    { generators: [list({ other: 'a' })], template: base },
    /metadata\.name: "app-\{\{env\}\}"/,
  )
  await assertRefused(
    goSet({ generators: [list({ env: { name: 'a' } })], template: goTemplate }),
    /^spec\.generators\[0\]\.list\.elements\[0\]: .*spec\.template\.spec\.project.*map has no entry for key "project"/s,
  )
  await assertRefused(
    { generators: [{ list: { elementsYaml: 'a: [' } }], template: base },
    /^spec\.generators\[0\]\.list\.elementsYaml: error unmarshling decoded ElementsYaml: /,
  )
  await assertRefused(
    {
      generators: [list({ env: 'a', key: 'k' })],
      template: { ...base, spec: { destination: { server: 'a', name: 'b' } } },
    },
    /elements\[0\]: Application argocd\/app-a: spec\.destination\.server and/,
  )
})

test('two Applications of one name are refused with both their places', async () => {
  const generators = [list({ env: 'a', key: 'k' }), list({ env: 'b', key: 'k' }, { env: 'a', key: 'k' })]
  await assertRefused(
    { generators, template: template('{{env}}', 'https://a') },
    /^ApplicationSet set contains applications with duplicate name: a, from spec\.generators\[0\]\.list\.elements\[0\] and spec\.generators\[1\]\.list\.elements\[1\]; give/,
  )
})

test('what is not supported is refused and not ignored', async () => {
  const base = template('a', 'https://a')
  await assertRefused(
    { generators: [list(), { other: {} }], template: base },
    /unknown field spec\.generators\[1\]\.other; expected one of /,
  )
  await assertRefused({ generators: [{}], template: base }, /^spec\.generators\[0\] names no generator/)
  await assertRefused({ generators: [], template: base }, /at least one generator/)
  await assertRefused(
    { generators: [list()], template: base, goTemplateOptions: ['x'] },
    /"x" is not an option/,
  )
  await assert.rejects(
    client.generateApplications({ applicationSet: { kind: 'Secret' } }, as('admin')),
    InvalidInputError,
  )
})

test('a set above the limit is refused', async () => {
  const elements = Array.from({ length: 6 }, (_, index) => ({ env: `e${index}` }))
  await assert.rejects(
    generate({ generators: [list(...elements)], template: template('{{env}}', 'a') }),
    ResourceExhaustedError,
  )
})

test('users store, see, refresh and delete a set, and nobody else does', async () => {
  const spec = { generators: [list({ env: 'a', key: 'k' })], template: template('{{env}}', 'https://a') }
  const applicationSet = setOf(spec)
  await assert.rejects(client.applyApplicationSet({ applicationSet }), PermissionDeniedError)
  await assert.rejects(client.applyApplicationSet({ applicationSet }, as('nobody')), PermissionDeniedError)
  const applied = await client.applyApplicationSet({ applicationSet }, as('admin'))
  assert.equal(applied.outcome, 'created')
  assert.deepEqual(
    applied.changes.map(({ action, name }) => `${action} ${name}`),
    ['create a'],
  )
  const end = new AbortController()
  const events = client.watchApplicationSets({}, { ...as('admin'), signal: end.signal })
  for await (const { type, applicationSet: reported } of events) {
    assert.equal(type, 'ADDED')
    assert.deepEqual(reported?.['spec'], spec)
    break
  }
  end.abort()
  const listed = await client.listApplicationSets({}, as('admin'))
  assert.equal(listed.applicationSets.length, 1)
  assert.equal((await client.listApplicationSets({}, as('nobody'))).applicationSets.length, 0)
  const refreshed = await client.refreshApplicationSet({ name: 'set' }, as('admin'))
  assert.deepEqual(
    refreshed.changes.map(({ action }) => action),
    ['unchanged'],
  )
  await assert.rejects(client.getApplicationSet({ name: 'set' }, as('nobody')), NotFoundError)
  const { applicationSet: got } = await client.getApplicationSet({ name: 'set' }, as('admin'))
  assert.deepEqual(got?.['spec'], spec)
  assert.deepEqual((await client.deleteApplicationSet({ name: 'set' }, as('admin'))).applications, ['a'])
  assert.equal((await store.list('Application')).items.length, 0)
})
