import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGeneratorFixture } from '../generator-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
const parameters: typeof fixture.parameters = async (...given) => fixture.parameters(...given)
await fixture.addCluster('Prod_EU', {
  server: 'https://1.2.3.4',
  project: 'team',
  labels: { env: 'prod' },
  annotations: { 'example.com/region': 'eu' },
})
await fixture.addCluster('dev', { labels: { env: 'dev' } })
await fixture.store.create({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'repository',
    namespace: 'argocd',
    labels: { 'argocd.argoproj.io/secret-type': 'repository' },
  },
})

const type = { 'argocd.argoproj.io/secret-type': 'cluster' }
const local = {
  name: 'in-cluster',
  nameNormalized: 'in-cluster',
  server: 'https://kubernetes.default.svc',
  project: '',
}

test('the default engine gets labels and annotations flat, the local cluster comes last', async () => {
  assert.deepEqual(await parameters({ clusters: {} }), [
    {
      origin: 'spec.generators[0].clusters: cluster Prod_EU',
      values: {
        name: 'Prod_EU',
        nameNormalized: 'prod-eu',
        server: 'https://1.2.3.4',
        project: 'team',
        'metadata.labels.argocd.argoproj.io/secret-type': 'cluster',
        'metadata.labels.env': 'prod',
        'metadata.annotations.example.com/region': 'eu',
      },
    },
    {
      origin: 'spec.generators[0].clusters: cluster dev',
      values: {
        name: 'dev',
        nameNormalized: 'dev',
        server: 'https://dev',
        project: '',
        'metadata.labels.argocd.argoproj.io/secret-type': 'cluster',
        'metadata.labels.env': 'dev',
      },
    },
    { origin: 'spec.generators[0].clusters: cluster in-cluster', values: local },
  ])
})

test('Go templates get maps, and values of their own', async () => {
  const clusters = {
    selector: { matchLabels: { env: 'dev' } },
    values: { at: '{{ .name }}-{{ .metadata.labels.env }}' },
  }
  assert.deepEqual(
    (await parameters({ clusters }, { goTemplate: true })).map(({ values }) => values),
    [
      {
        name: 'dev',
        nameNormalized: 'dev',
        server: 'https://dev',
        project: '',
        metadata: { labels: { ...type, env: 'dev' } },
        values: { at: 'dev-dev' },
      },
    ],
  )
})

test('a selector leaves the local cluster out, whatever it takes', async () => {
  const selector = { matchExpressions: [{ key: 'absent', operator: 'DoesNotExist' }] }
  const names = (await parameters({ clusters: { selector } })).map(({ values }) => values['name'])
  assert.deepEqual(names, ['Prod_EU', 'dev'])
  assert.equal((await parameters({ clusters: { selector: {} } })).length, 3)
})

test('flatList makes one set of all clusters', async () => {
  const [set, ...others] = await parameters({ clusters: { flatList: true } }, { goTemplate: true })
  const clusters = set?.values['clusters']
  assert.ok(Array.isArray(clusters))
  assert.deepEqual([clusters.length, clusters[2], others], [3, local, []])
})

test('a Secret with the address of the local cluster takes its place', async () => {
  await using other = await startGeneratorFixture()
  await other.addCluster('here', { server: 'https://kubernetes.default.svc' })
  assert.deepEqual(
    (await other.parameters({ clusters: {} })).map(({ values }) => values['name']),
    ['here'],
  )
})

test('of two Secrets with one name the later one applies', async () => {
  await using other = await startGeneratorFixture()
  await other.addCluster('twice', { server: 'https://a', name: 'cluster-1' })
  await other.addCluster('twice', { server: 'https://b', name: 'cluster-2' })
  assert.deepEqual(
    (await other.parameters({ clusters: {} })).map(({ values }) => values['server']),
    ['https://b', 'https://kubernetes.default.svc'],
  )
})

test('a value that cannot be rendered names the cluster and the key', async () => {
  const clusters = { values: { x: '{{ .absent }}' } }
  await assert.rejects(
    parameters({ clusters }, { goTemplate: true, goTemplateOptions: ['missingkey=error'] }),
    /^InvalidInputError: spec\.generators\[0\]\.clusters: cluster Prod_EU: values\.x: failed to execute go template/,
  )
})

test('what Argo CD and kubectl write on Secrets for themselves is no parameter, with either engine', async () => {
  await using own = await startGeneratorFixture()
  const withheld = [
    'kubectl.kubernetes.io/last-applied-configuration',
    'argocd.argoproj.io/refresh',
    'argocd.argoproj.io/refresh-timestamp',
    'argocd.argoproj.io/hydrate',
    'argocd.argoproj.io/hydrate-timestamp',
    'argocd.argoproj.io/tracking-id',
    'argocd.argoproj.io/installation-id',
  ]
  const others = { 'argocd.argoproj.io/note': 'kept', 'example.com/refresh': 'kept' }
  await own.addCluster('a', {
    annotations: { ...Object.fromEntries(withheld.map((key) => [key, 'secret'])), ...others },
  })
  const clusters = { selector: { matchLabels: type } }
  const [go] = await own.parameters({ clusters }, { goTemplate: true })
  assert.deepEqual(go?.values['metadata'], { labels: type, annotations: others })
  const [flat] = await own.parameters({ clusters })
  assert.deepEqual(
    Object.keys(flat?.values ?? {}).filter((key) => key.startsWith('metadata.annotations.')),
    Object.keys(others).map((key) => `metadata.annotations.${key}`),
  )
})
