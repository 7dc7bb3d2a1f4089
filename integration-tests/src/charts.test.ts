import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { chartFilesOf, minimalChart, packChart, startChartServer } from '@wadi/charts/chart-server-fixture.ts'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import type { ApplicationFixture } from './application-fixture.ts'
import { asManifestFile, renderBare } from './bare-tool-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const corpus = join(import.meta.dirname, '../../../shared/corpus/charts')
const skip = existsSync(corpus) ? false : 'the corpus of public charts is not beside this checkout'
const charts = ['cert-manager', 'ingress-nginx', 'kube-state-metrics', 'metrics-server', 'podinfo']

const server = await usedByFile(startChartServer())
const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('hydrated', { 'README.md': 'Hydrated.\n' })

function application(
  name: string,
  revision: string,
  parts: Partial<ApplicationFixture> = {},
): ApplicationFixture {
  return {
    name,
    repoURL: server.url,
    path: '',
    revision,
    branch: `environments/${name}`,
    destination: repository.url,
    ...parts,
    source: { chart: name, ...parts.source },
  }
}

async function publish(name: string, version: string, more: Record<string, string> = {}): Promise<string> {
  return server.publish(name, version, await packChart(name, minimalChart(name, version, more)))
}

async function recordOf(name: string): Promise<Record<string, unknown>> {
  const text = await repository.read(`environments/${name}`, `${name}/hydrator.metadata`)
  return JSON.parse(text) as Record<string, unknown>
}

test(
  'public charts are hydrated from their archives to what helm makes of their directories',
  { skip },
  async () => {
    for (const name of charts) {
      const digest = server.publish(
        name,
        '1.0.0',
        await packChart(name, await chartFilesOf(join(corpus, name))),
      )
      const branch = 'environments/corpus'
      await mesh.fixture.apply(application(name, '1.0.0', { branch }))
      await mesh.fixture.waitFor(name, isHydratedAt(digest))
      const args = ['template', name, '--include-crds']
      const [bare, again] = [await renderBare('helm', args, corpus), await renderBare('helm', args, corpus)]
      const hydrated = await repository.read(branch, `${name}/manifest.yaml`)
      if (bare.text === again.text) assert.equal(hydrated, bare.text, name)
      else assert.equal(asManifestFile(hydrated, name).count, bare.count, name)
    }
  },
)

test('the dry commit of a chart is the digest of its archive, in note, record and README', async () => {
  const digest = await publish('web', '1.2.0')
  const source = { helm: { valuesObject: { replicas: 3 } } }
  await mesh.fixture.applyAndWait(digest, application('web', '1.2.0', { source }))
  const branch = 'environments/web'
  assert.equal(await repository.note(branch), `{"drySha":"${digest}"}\n`)
  const { repoURL, chart, version, drySha, subject, date, tools } = await recordOf('web')
  assert.deepEqual(
    { repoURL, chart, version, drySha, subject, date },
    {
      repoURL: server.url,
      chart: 'web',
      version: '1.2.0',
      drySha: digest,
      subject: 'web 1.2.0',
      date: '2026-01-02T03:04:05Z',
    },
  )
  assert.deepEqual(
    (tools as { name: string }[]).map(({ name }) => name),
    ['helm'],
  )
  const root = JSON.parse(await repository.read(branch, 'hydrator.metadata')) as Record<string, unknown>
  assert.deepEqual([root['chart'], root['version'], root['drySha']], ['web', '1.2.0', digest])
  assert.match(
    await repository.read(branch, 'web/README.md'),
    new RegExp(`helm pull web --repo ${server.url} --version 1\\.2\\.0 --untar\ncd web\n`),
  )
  assert.match(
    await repository.read(branch, 'web/manifest.yaml'),
    /^ {2}replicas: "3"\n {2}version: 1\.2\.0$/m,
  )
  assert.equal(await repository.commitField(branch, '%s'), `${digest.slice(0, 7)}: web 1.2.0`)
})

test('a range stays at the version that was hydrated until somebody asks, and moves then', async () => {
  const first = await publish('ranged', '1.0.0')
  await mesh.fixture.applyAndWait(first, application('ranged', '^1.0'))
  const second = await publish('ranged', '1.1.0')
  await publish('ranged', '2.0.0')
  await mesh.fixture.apply(
    application('ranged', '^1.0', { source: { helm: { valuesObject: { replicas: 2 } } } }),
  )
  await mesh.fixture.waitFor('ranged', ({ status }) => {
    const { currentOperation: operation } = status
    const { helm } = operation?.sourceHydrator.drySource ?? {}
    return operation?.phase === 'Hydrated' && helm !== undefined
  })
  assert.equal((await recordOf('ranged'))['version'], '1.0.0')
  await mesh.fixture.hydrateTo(second, 'ranged')
  assert.equal((await recordOf('ranged'))['version'], '1.1.0')
})

test('another archive for a version that was hydrated is an error until somebody accepts it', async () => {
  const first = await publish('swapped', '1.0.0')
  await mesh.fixture.applyAndWait(first, application('swapped', '1.0.0'))
  const head = await repository.head('environments/swapped')
  const second = await publish('swapped', '1.0.0', { 'values.yaml': 'replicas: 66\n' })
  await mesh.fixture.gateway.applications.hydrateApplication({ name: 'swapped' })
  const message = await mesh.fixture.waitForFailure('swapped')
  assert.match(
    message,
    new RegExp(
      `serves another archive for version 1\\.0\\.0: it was sha256:${first} and is sha256:${second}`,
    ),
  )
  assert.equal(await repository.head('environments/swapped'), head)
  await mesh.fixture.gateway.applications.hydrateApplication({ name: 'swapped', hard: true })
  await mesh.fixture.waitFor('swapped', isHydratedAt(second))
})

test('a version that does not exist is an error that names those that do', async () => {
  await publish('missing', '1.0.0')
  await publish('missing', '1.10.0')
  const message = await mesh.fixture.applyAndFail(application('missing', '3.x'))
  assert.match(message, /has no version "3\.x"; the newest are 1\.10\.0, 1\.0\.0/)
  const other = await mesh.fixture.applyAndFail(
    application('nowhere', '1.0.0', { branch: 'environments/nowhere' }),
  )
  assert.match(other, /has no chart "nowhere"/)
})

test('a chart that asks for strict determinism takes exact versions alone', async () => {
  const digest = await publish('strict', '1.0.0', { 'wadi.yaml': 'determinism: strict\n' })
  const message = await mesh.fixture.applyAndFail(application('strict', '1.x'))
  assert.match(message, /targetRevision "1\.x" is a range/)
  await mesh.fixture.apply(application('strict', '1.0.0'))
  await mesh.fixture.waitFor('strict', isHydratedAt(digest))
})

test('diff, manifests and parameters of a chart are read from its repository', async () => {
  const digest = await publish('shown', '1.0.0')
  await mesh.fixture.applyAndWait(digest, application('shown', '1.x'))
  await publish('shown', '1.1.0')
  const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
  const diff = await runWadi(['app', 'diff', 'shown', '--revision', '1.1.0'], { environment })
  assert.deepEqual([diff.stderr, diff.code], ['', 1])
  assert.match(diff.stdout, /^-\s+version: 1\.0\.0\n\+\s+version: 1\.1\.0$/m)
  const { stdout } = await runWadi(['app', 'params', 'shown'], { environment })
  assert.match(stdout, /replicas/)
})

test('credentials of a Secret open a private repository, and none go to another host', async () => {
  await using other = await startChartServer()
  await using secret = await startChartServer({ users: { ci: 'pass:word' } })
  const archive = await packChart('secret', minimalChart('secret', '1.0.0'))
  const digest = secret.publish('secret', '1.0.0', archive)
  const wanted = application('secret', '1.0.0', { repoURL: secret.url })
  assert.match(
    await mesh.fixture.applyAndFail(wanted),
    /answers 401: no Secret in namespace argocd has credentials/,
  )
  await mesh.fixture.gateway.repositories.createRepository({
    repoUrl: secret.url,
    username: 'ci',
    password: 'pass:word',
    skipValidation: true,
  })
  await mesh.fixture.waitFor('secret', isHydratedAt(digest))
  const next = await packChart('secret', minimalChart('secret', '1.1.0'))
  const moved = secret.publish('secret', '1.1.0', next)
  other.publish('secret', '1.1.0', next)
  const location = `${other.url}/secret-1.1.0.tgz`
  secret.answers.set('/charts/secret-1.1.0.tgz', { status: 302, headers: { location } })
  await mesh.fixture.apply({ ...wanted, revision: '1.1.0' })
  await mesh.fixture.waitFor('secret', isHydratedAt(moved))
  assert.deepEqual(other.requests, ['GET /charts/secret-1.1.0.tgz 200'])
})

test('credentials go to another host on which the index has archives when their owner says so', async () => {
  const users = { ci: 'pass:word' }
  await using archives = await startChartServer({ users })
  await using index = await startChartServer({ users })
  const archive = await packChart('passed', minimalChart('passed', '1.0.0'))
  const digest = archives.publish('passed', '1.0.0', archive)
  const entry = { version: '1.0.0', digest, urls: [`${archives.url}/passed-1.0.0.tgz`] }
  const body = JSON.stringify({ apiVersion: 'v1', entries: { passed: [entry] } })
  index.answers.set('/charts/index.yaml', { status: 200, body })
  const credentials = { repoUrl: index.url, username: 'ci', password: 'pass:word', skipValidation: true }
  const { repositories } = mesh.fixture.gateway
  await assert.rejects(repositories.createRepository({ ...credentials, passCredentials: true }), {
    rawMessage: /give the type helm too/,
  })
  await repositories.createRepository({ ...credentials, type: 'helm' })
  const wanted = application('passed', '1.0.0', { repoURL: index.url })
  assert.match(
    await mesh.fixture.applyAndFail(wanted),
    /answers 401: the credentials of the repository are not sent to another host/,
  )
  assert.ok(archives.requests.every((request) => !request.endsWith('with credentials')))
  const passing = { ...credentials, type: 'helm', passCredentials: true, upsert: true }
  await repositories.createRepository(passing)
  await mesh.fixture.waitFor('passed', isHydratedAt(digest))
  assert.ok(archives.requests.at(-1)?.endsWith('with credentials'))
})

test('what cannot be is refused when the Application is written', async () => {
  const refused = [
    [application('x', '1.0.0', { path: 'sub' }), /chart and .*path cannot both be set/],
    [application('x', 'main'), /"main" is neither a version nor a range of versions/],
    [application('x', '1.0.0', { source: { chart: '../x' } }), /is not the name of a chart/],
    [application('x', '1.0.0', { repoURL: 'ftp://charts.example.com' }), /is not the address of charts/],
  ] as const
  for (const [one, message] of refused) await assert.rejects(mesh.fixture.apply(one), { rawMessage: message })
  const { destination: _destination, ...without } = application('x', '1.0.0')
  await assert.rejects(mesh.fixture.apply(without), { rawMessage: /syncSource\.repoURL is required/ })
})
