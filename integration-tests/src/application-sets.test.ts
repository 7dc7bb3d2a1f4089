import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { meshOfFile } from './mesh-fixture.ts'

const finalizers = ['resources-finalizer.argocd.argoproj.io']

const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('sets', {
  'apps/web/config.json': '{"app": {"name": "web", "replicas": 2}}',
  'apps/api/config.json': '{"app": {"name": "api", "replicas": 3}}',
  'apps/legacy/config.json': '{"app": {"name": "legacy", "replicas": 1}}',
  'broken/config.json': '{"app": ',
})

function setOf(spec: JsonObject, annotations: JsonObject = {}): JsonObject {
  const metadata = { name: 'set', annotations }
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata, spec }
}

async function generate(applicationSet: JsonObject): Promise<JsonObject[]> {
  const { applications } = await mesh.fixture.gateway.applicationSets.generateApplications({ applicationSet })
  return applications
}

/** An Application that is hydrated from one directory of the repository. */
function template(name: string, path: string, destination: JsonObject): JsonObject {
  const drySource = { repoURL: repository.url, targetRevision: 'main', path }
  const syncSource = { targetBranch: 'environments/all', path: name }
  return {
    metadata: { name },
    spec: { project: 'default', destination, sourceHydrator: { drySource, syncSource } },
  }
}

function application(name: string, path: string, destination: JsonObject): JsonObject {
  const { spec } = template(name, path, destination)
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', finalizers },
    spec: spec ?? null,
  }
}

function gitDirectories(annotations: JsonObject = {}): JsonObject {
  const directories = [{ path: 'apps/*' }, { path: 'apps/legacy', exclude: true }]
  return setOf(
    {
      generators: [{ git: { repoURL: repository.url, revision: 'main', directories } }],
      template: template('{{path.basename}}', '{{path}}', { name: 'in-cluster', namespace: '{{path[1]}}' }),
    },
    annotations,
  )
}

const inCluster = (name: string): JsonObject =>
  application(name, `apps/${name}`, { name: 'in-cluster', namespace: name })

test('a set of git directories gives an Application for each, and a new directory one more when asked to look now', async () => {
  assert.deepEqual(await generate(gitDirectories()), ['api', 'web'].map(inCluster))
  await repository.push({ 'apps/shop/config.json': '{"app": {"name": "shop", "replicas": 1}}' })
  const now = gitDirectories({ 'argocd.argoproj.io/application-set-refresh': 'true' })
  assert.deepEqual(await generate(now), ['api', 'shop', 'web'].map(inCluster))
  const { applications } = await mesh.fixture.gateway.applications.listApplications({})
  assert.deepEqual(applications, [])
})

test('a matrix of a list and git files gives every pair, with Go templates', async () => {
  const elements = [
    { env: 'dev', server: 'https://dev', directory: 'web' },
    { env: 'prod', server: 'https://prod', directory: '*' },
  ]
  const files = [
    { path: 'apps/{{.directory}}/config.json' },
    { path: 'apps/shop/*', exclude: true },
    { path: 'apps/legacy/*', exclude: true },
  ]
  const applications = await generate(
    setOf({
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          matrix: {
            generators: [
              { list: { elements } },
              { git: { repoURL: repository.url, revision: 'main', files } },
            ],
          },
        },
      ],
      template: template('{{.app.name}}-{{.env}}', '{{.path.path}}', {
        server: '{{.server}}',
        namespace: 'x{{.app.replicas}}',
      }),
    }),
  )
  assert.deepEqual(applications, [
    application('web-dev', 'apps/web', { server: 'https://dev', namespace: 'x2' }),
    application('api-prod', 'apps/api', { server: 'https://prod', namespace: 'x3' }),
    application('web-prod', 'apps/web', { server: 'https://prod', namespace: 'x2' }),
  ])
})

test('a generator of clusters sees the Secrets that were applied, with their labels, and nothing secret', async () => {
  const { resources } = mesh.fixture.gateway
  for (const [name, env] of [
    ['west', 'prod'],
    ['east', 'prod'],
    ['lab', 'test'],
  ] as const) {
    const labels = { 'argocd.argoproj.io/secret-type': 'cluster', env }
    const metadata = { name: `cluster-${name}`, labels }
    const stringData = { name, server: `https://${name}`, config: '{"bearerToken": "hunter2-hunter2"}' }
    const resource = { apiVersion: 'v1', kind: 'Secret', metadata, stringData }
    const answer = await resources.applyResource({ resource })
    assert.equal(answer.outcome, 'created')
    assert.ok(!JSON.stringify(answer.resource).includes('hunter2'))
  }
  const applications = await generate(
    setOf({
      generators: [{ clusters: { selector: { matchLabels: { env: 'prod' } } } }],
      template: template('web-{{name}}', 'apps/web', {
        server: '{{server}}',
        namespace: '{{metadata.labels.env}}',
      }),
    }),
  )
  assert.deepEqual(
    applications,
    ['east', 'west'].map((name) =>
      application(`web-${name}`, 'apps/web', { server: `https://${name}`, namespace: 'prod' }),
    ),
  )
})

const wrong: [string, () => JsonObject, Code, RegExp][] = [
  [
    'a generator of an unknown kind',
    () => ({ wheel: {} }),
    Code.InvalidArgument,
    /^ApplicationSet set: unknown field spec\.generators\[0\]\.wheel; expected one of /,
  ],
  [
    'a revision that does not exist',
    () => ({ git: { repoURL: repository.url, revision: 'gone', directories: [{ path: '*' }] } }),
    Code.FailedPrecondition,
    /\/sets\.git: .*gone/,
  ],
  [
    'a file of values that is not valid JSON',
    () => ({ git: { repoURL: repository.url, revision: 'main', files: [{ path: 'broken/config.json' }] } }),
    Code.InvalidArgument,
    /^spec\.generators\[0\]\.git.*broken\/config\.json/,
  ],
  [
    'two Applications of one name',
    () => ({ list: { elements: [{ name: 'web' }, { name: 'web' }] } }),
    Code.InvalidArgument,
    /duplicate name: web, from spec\.generators\[0\]\.list\.elements\[0\] and .*elements\[1\]/,
  ],
]
for (const [what, generator, code, message] of wrong) {
  test(`${what} is refused, and the caller reads where it is`, async () => {
    const applicationSet = setOf({
      generators: [generator()],
      template: template('{{name}}', 'apps/web', { name: 'in-cluster' }),
    })
    await assert.rejects(generate(applicationSet), (error) => {
      assert.ok(error instanceof Error && 'rawMessage' in error && 'code' in error)
      assert.match(String(error.rawMessage), message)
      return error.code === code
    })
  })
}

test('what is not an ApplicationSet is refused', async () => {
  await assert.rejects(generate({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }), {
    code: Code.InvalidArgument,
    rawMessage: 'expected an ApplicationSet, not Secret',
  })
})
