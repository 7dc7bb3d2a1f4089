import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { minimalChart, packChart, startChartServer } from '@wadi/charts/chart-server-fixture.ts'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { until } from '@wadi/testing/until.ts'
import type { ApplicationFixture } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { connectForge } from './pull-request-fixture.ts'
import { compareRevisions, propose } from './review-fixture.ts'

const server = await usedByFile(startChartServer())
const mesh = await meshOfFile()
const hydrated = await mesh.fixture.createRepository('hydrated', { 'README.md': 'Hydrated.\n' })

interface Directory {
  drySha: string
  repoURL: string
  drySource?: unknown
  sources: {
    repoURL: string
    ref?: string
    chart?: string
    version?: string
    drySha: string
    subject: string
  }[]
}

/** A chart in its repository and a git repository with its values. */
async function bed(name: string, values: Record<string, string>) {
  const digest = server.publish(name, '1.0.0', await packChart(name, minimalChart(name, '1.0.0')))
  const repository = await mesh.fixture.createRepository(`acme/${name}-values`, values)
  const branch = `environments/${name}`
  const chart = { repoURL: server.url, chart: name, targetRevision: '1.x' }
  const ref = { repoURL: repository.url, targetRevision: 'main', ref: 'values' }
  const application = (...valueFiles: string[]): ApplicationFixture => ({
    name,
    repoURL: '',
    branch,
    destination: hydrated.url,
    sources: [{ ...chart, helm: { valueFiles } }, ref],
  })
  const directory = async (): Promise<Directory> =>
    JSON.parse(await hydrated.read(branch, `${name}/hydrator.metadata`)) as Directory
  const replicas = async (): Promise<string> => {
    const manifest = await hydrated.read(branch, `${name}/manifest.yaml`)
    return /replicas: "(.*)"/.exec(manifest)?.[1] ?? ''
  }
  return { digest, repository, branch, chart, ref, application, directory, replicas }
}

test('a chart takes its values from another repository, and a commit of either is hydrated', async () => {
  const { digest, repository, branch, application, directory, replicas } = await bed('web', {
    'envs/prod.yaml': 'replicas: 5\n',
    'notes.txt': 'one\n',
  })
  const first = await repository.dry.head()
  await mesh.fixture.applyAndWait(digest, application('$values/envs/prod.yaml'))
  assert.equal(await replicas(), '5')
  const { drySha, repoURL, drySource, sources } = await directory()
  assert.deepEqual([drySha, repoURL, drySource], [digest, server.url, undefined])
  assert.deepEqual(
    sources.map((source) => [source.chart, source.version, source.ref, source.drySha]),
    [
      ['web', '1.0.0', undefined, digest],
      [undefined, undefined, 'values', first],
    ],
  )
  const dryCommits = [
    { repoURL: server.url, targetRevision: '1.x', chart: 'web', drySha: digest },
    { repoURL: repository.url, targetRevision: 'main', drySha: first },
  ]
  assert.deepEqual(JSON.parse(await hydrated.note(branch)), { drySha: first, dryCommits })
  const readme = await hydrated.read(branch, 'web/README.md')
  assert.match(
    readme,
    new RegExp(
      `git clone ${repository.url} '\\$values'\ngit -C '\\$values' checkout ${first.slice(0, 7)}\nhelm pull web .*\ncd web\n`,
    ),
  )
  assert.match(readme, /--values '\.\.\/\$values\/envs\/prod\.yaml'/)

  const head = await hydrated.head(branch)
  const second = await repository.push({ 'envs/prod.yaml': 'replicas: 6\n' }, 'Six replicas')
  await mesh.fixture.gateway.applications.hydrateApplication({ name: 'web' })
  await hydrated.waitForHead(branch, (now) => now !== head)
  assert.equal(await replicas(), '6')
  assert.equal(await hydrated.commitField(branch, '%s'), `${second.slice(0, 7)}: Six replicas`)
  assert.deepEqual(
    (await directory()).sources.map((source) => source.drySha),
    [digest, second],
  )

  const changed = await hydrated.head(branch)
  const third = await repository.push({ 'notes.txt': 'two\n' }, 'A note')
  await mesh.fixture.hydrate('web')
  assert.equal(await hydrated.head(branch), changed)
  assert.equal((JSON.parse(await hydrated.note(branch)) as { drySha: string }).drySha, third)

  const moved = server.publish('web', '1.1.0', await packChart('web', minimalChart('web', '1.1.0')))
  await mesh.fixture.hydrateTo(moved, 'web')
  assert.deepEqual(
    (await directory()).sources.map((source) => source.drySha),
    [moved, third],
  )
})

test('a poll finds a new commit of any source, and rests while there is none', async () => {
  const { digest, repository, branch, application, replicas } = await bed('polled', {
    'a.yaml': 'replicas: 2\n',
  })
  await mesh.fixture.applyAndWait(digest, application('$values/a.yaml'))
  const head = await hydrated.head(branch)
  await mesh.fixture.poll()
  await repository.push({ 'a.yaml': 'replicas: 3\n' })
  await mesh.fixture.poll()
  await hydrated.waitForHead(branch, (now) => now !== head)
  assert.equal(await replicas(), '3')
  assert.equal((await hydrated.commits(branch)).length, 2)
})

test('the list begins with the values when their commits are the dry commits', async () => {
  const { repository, branch, chart, ref } = await bed('values-first', { 'a.yaml': 'replicas: 2\n' })
  const first = await repository.dry.head()
  const sources = [ref, { ...chart, helm: { valueFiles: ['$values/a.yaml'] } }]
  const application = { name: 'values-first', repoURL: '', branch, sources }
  await mesh.fixture.applyAndWait(first, application)
  assert.match(await repository.read(branch, 'values-first/manifest.yaml'), /replicas: "2"/)
  const second = await repository.push({ 'a.yaml': 'replicas: 4\n' })
  await mesh.fixture.hydrateTo(second, 'values-first')
  assert.match(await repository.read(branch, 'values-first/manifest.yaml'), /replicas: "4"/)
})

test('a name that no source has, a file that is missing and a project that does not permit a source are errors', async () => {
  const { application, repository } = await bed('wrong', { 'a.yaml': '' })
  const unknown = await mesh.fixture.applyAndFail(application('$vaules/a.yaml'))
  assert.match(
    unknown,
    /helm\.valueFiles\[0\] "\$vaules\/a\.yaml": no source of the Application has the ref "vaules"/,
  )
  await mesh.fixture.apply(application('$values/b.yaml'))
  await mesh.fixture.waitFor('wrong', ({ status }) =>
    /value file "\$values\/b\.yaml" does not exist/.test(status.currentOperation?.message ?? ''),
  )
  await mesh.fixture.applyProject('narrow', { sourceRepos: [server.url, hydrated.url] })
  const denied = mesh.fixture.apply({ ...application('$values/a.yaml'), project: 'narrow' })
  await assert.rejects(denied, {
    rawMessage: new RegExp(`application repo ${repository.url} is not permitted`),
  })
})

test('diff, manifests, parameters and wadi diff read the values of the other source', async () => {
  const { digest, repository, application } = await bed('shown', { 'a.yaml': 'replicas: 2\n' })
  await mesh.fixture.applyAndWait(digest, application('$values/a.yaml'))
  await repository.push({ 'a.yaml': 'replicas: 7\n' })
  await mesh.fixture.waitFor('shown', isHydratedAt(digest))
  const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
  const run = (...args: string[]) => runWadi(args, { environment })
  const manifests = await run('app', 'manifests', 'shown', '--source', 'dry')
  assert.match(manifests.stdout, /replicas: "7"/)
  const params = await run('app', 'params', 'shown')
  assert.match(params.stdout, /\$values\/a\.yaml/)
  const block = await run('app', 'get', 'shown')
  assert.match(block.stdout, /Dry Sources:[\s\S]*Chart: +shown[\s\S]*Ref: +values/)
  await propose(repository, 'refs/heads/feature', { 'a.yaml': 'replicas: 9\n' })
  for (const base of ['', 'main']) {
    const { applications } = await compareRevisions(mesh.fixture.gateway, {
      repoUrl: repository.url,
      revision: 'feature',
      base,
    })
    const [object] = applications.get('shown')?.objects ?? []
    assert.match(object?.after ?? '', /replicas: "9"/)
  }
})

test('the values of one of several sources are explained, with those that another source gives it', async () => {
  const { digest, application, chart } = await bed('told', { 'prod.yaml': '# ours\nreplicas: 5\n' })
  server.publish('told-too', '1.0.0', await packChart('told-too', minimalChart('told-too', '1.0.0')))
  const second = {
    ...chart,
    chart: 'told-too',
    name: 'second',
    helm: { parameters: [{ name: 'replicas', value: '7' }] },
  }
  const first = application('$values/prod.yaml')
  await mesh.fixture.applyAndWait(digest, { ...first, sources: [...(first.sources ?? []), second] })
  const run = (...args: string[]) =>
    runWadi(['app', 'explain', 'told', ...args], {
      environment: { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token },
    })
  const whole = await run('--source-position', '1', '.replicas')
  assert.equal(whole.code, 0, whole.stderr)
  assert.match(whole.stdout, /^\.replicas = 5 {2}<- .*\$values\/prod\.yaml:2 \(overrides values\.yaml:\d+ /m)
  const other = await run('--source-name', 'second', '-o', 'json')
  const values = JSON.parse(other.stdout) as { path: string; value: unknown }[]
  assert.equal(values.find(({ path }) => path === '.replicas')?.value, 7)
  assert.match((await run()).stdout, /name another by position or name: /)
  assert.equal((await run('--source-name', 'third')).code, 20)
})

test('a pull request is told when a chart repository serves another archive, and what it changes when it serves the old one again', async () => {
  await mesh.fixture.applyProject('shown', {}, { 'wadi.dev/reviews': 'diffs' })
  const { repository, application } = await bed('served', { 'prod.yaml': 'replicas: 5\n' })
  const archive = await packChart('served', minimalChart('served', '1.0.0'))
  const digest = server.publish('served', '1.0.0', archive)
  await mesh.fixture.applyAndWait(digest, { ...application('$values/prod.yaml'), project: 'shown' })
  await using forged = await connectForge(mesh, repository)
  const { open, announce, newest, comments } = forged
  const other = {
    ...minimalChart('served', '1.0.0'),
    'templates/more.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
  }
  server.publish('served', '1.0.0', await packChart('served', other))
  const first = await propose(repository, 'refs/heads/change', { 'prod.yaml': 'replicas: 6\n' })
  const pull = open({ head: 'change' })
  const isJudged = (sha: string) => !['pending', undefined].includes(newest(sha)?.state)
  await announce(pull)
  await until(() => isJudged(first))
  assert.equal(newest(first)?.state, 'failure')
  assert.match(
    comments(pull)[0] ?? '',
    new RegExp(`\\*\\*Error\\*\\* \`argocd/served\`: .*${digest.slice(0, 12)}`),
  )
  server.publish('served', '1.0.0', archive)
  const second = await propose(repository, 'refs/heads/change', { 'prod.yaml': 'replicas: 7\n' })
  await announce(pull)
  await until(() => isJudged(second))
  assert.equal(newest(second)?.state, 'success')
  assert.match(comments(pull)[0] ?? '', /^- {2}replicas: "5"\n\+ {2}replicas: "7"$/m)
})
