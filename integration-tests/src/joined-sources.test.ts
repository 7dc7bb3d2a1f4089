import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { compareRevisions, objectsOf, propose } from './review-fixture.ts'

const mesh = await meshOfFile()

/** Two repositories whose directories are joined on a branch of the first. */
async function bed(name: string, first: Record<string, string>, second: Record<string, string>) {
  const { fixture } = mesh
  const [one, two] = [
    await fixture.createRepository(`${name}-one`, first),
    await fixture.createRepository(`${name}-two`, second),
  ]
  const branch = `environments/${name}`
  const sources = [
    { repoURL: one.url, targetRevision: 'main', path: 'app' },
    { repoURL: two.url, targetRevision: 'main', path: 'shared' },
  ]
  const application = { name, repoURL: '', branch, sources }
  const manifest = () => one.read(branch, `${name}/manifest.yaml`)
  return { one, two, branch, application, manifest }
}

test('the manifests of several sources are joined, and of an object that several have the last one is kept', async () => {
  const { one, two, branch, application, manifest } = await bed(
    'joined',
    { 'app/a.yaml': configMap('b', '1'), 'app/both.yaml': configMap('both', '10') },
    { 'shared/a.yaml': configMap('a', '2'), 'shared/both.yaml': configMap('both', '20') },
  )
  await mesh.fixture.applyAndWait(await one.head('main'), application)
  assert.equal(
    await manifest(),
    [configMap('a', '2'), configMap('b', '1'), configMap('both', '20')].map(emitted).join('---\n'),
  )
  const { applications } = mesh.fixture.gateway
  const { application: seen } = await applications.getApplication({ name: 'joined' })
  assert.match(
    JSON.stringify(seen?.['status']),
    /several dry sources have ConfigMap both; that of the last one is used/,
  )
  const head = await one.head(branch)
  await two.push({ 'shared/a.yaml': configMap('a', '3') })
  await applications.hydrateApplication({ name: 'joined' })
  await one.waitForHead(branch, (now) => now !== head)
  assert.match(await manifest(), /name: a\n[\s\S]*name: b\n/)
  assert.match(await manifest(), /value: "3"/)
  const settled = await one.head(branch)
  await mesh.fixture.hydrate('joined')
  assert.equal(await one.head(branch), settled)
})

test('an error of one source keeps the branch as it was, and names its field', async () => {
  const { one, two, branch, application } = await bed(
    'broken',
    { 'app/a.yaml': configMap('a', '1') },
    { 'shared/a.yaml': configMap('b', '1') },
  )
  await mesh.fixture.applyAndWait(await one.head('main'), application)
  const head = await one.head(branch)
  await two.push({ 'shared/a.yaml': 'kind: [' })
  await mesh.fixture.gateway.applications.hydrateApplication({ name: 'broken' })
  assert.match(await mesh.fixture.waitForFailure('broken'), /shared\/a\.yaml/)
  assert.equal(await one.head(branch), head)
})

test('manifests of a dry revision and comparisons have all sources', async () => {
  const { one, two, application } = await bed(
    'compared',
    { 'app/a.yaml': configMap('a', '1') },
    { 'shared/a.yaml': configMap('b', '1') },
  )
  await mesh.fixture.applyAndWait(await one.head('main'), application)
  const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
  const { stdout } = await runWadi(['app', 'manifests', 'compared', '--source', 'dry'], { environment })
  assert.match(stdout, /name: a\n[\s\S]*name: b\n/)
  await propose(two, 'refs/heads/feature', { 'shared/a.yaml': configMap('b', '9') })
  const { applications } = await compareRevisions(mesh.fixture.gateway, {
    repoUrl: two.url,
    revision: 'feature',
    base: 'main',
  })
  const changes = applications.get('compared')
  assert.ok(changes)
  assert.deepEqual(objectsOf(changes), ['changed ConfigMap b'])
})

function emitted(text: string): string {
  const [, name = '', value = ''] = /name: (.*)\ndata:\n {2}value: (.*)\n/.exec(text) ?? []
  return `apiVersion: v1\ndata:\n  value: ${value}\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
}

test('parameters of each source are listed, previewed and set by its position or name', async () => {
  const chartAt = (path: string, value: string) => ({
    [`${path}/Chart.yaml`]: `apiVersion: v2\nname: ${path}\nversion: 1.0.0\n`,
    [`${path}/values.yaml`]: `${path}Value: ${value}\n`,
    [`${path}/templates/a.yaml`]: configMap(path, `{{ .Values.${path}Value }}`),
  })
  const { one, two, branch, application, manifest } = await bed(
    'tuned',
    chartAt('app', 'one'),
    chartAt('shared', 'two'),
  )
  const [first, second] = application.sources
  const sources = [first ?? {}, { ...second, name: 'platform' }]
  await mesh.fixture.applyAndWait(await one.head('main'), { ...application, sources })
  const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
  const run = (...args: string[]) => runWadi(['app', ...args], { environment })
  const all = await run('params', 'tuned')
  assert.match(all.stdout, /^appValue /m)
  assert.match(
    all.stdout,
    /first dry source with manifests; name another by position or name: 1 \(app\), 2 \("platform", shared\)/,
  )
  const chosen = await run('params', 'tuned', '--source-position', '2')
  assert.match(chosen.stdout, /^sharedValue /m)
  assert.doesNotMatch(chosen.stdout, /appValue|name another/)
  const { applications } = mesh.fixture.gateway
  const changes = { assignments: [{ target: 'sharedValue', value: 'three' }] }
  const preview = await applications.previewParameters({ name: 'tuned', changes, sourceName: 'platform' })
  assert.match(preview.objects[0]?.after ?? '', /value: three/)
  assert.equal(preview.drySha, await two.head('main'))
  const head = await one.head(branch)
  const set = await run('set', 'tuned', '-p', 'sharedValue=three', '--source-name', 'platform')
  assert.deepEqual([set.stderr, set.code], ['', 0])
  assert.match(set.stdout, /^committed [0-9a-f]{7} to main: shared\/\.argocd-source/)
  await one.waitForHead(branch, (now) => now !== head)
  assert.match(await manifest(), /value: one\n[\s\S]*value: three\n/)
  const wrong = await run('params', 'tuned', '--source-position', '3')
  assert.match(wrong.stderr, /no dry source with manifests has position 3/)
  const unnamed = await run('set', 'tuned', '--dry-source-revision', 'next')
  assert.match(unnamed.stderr, /several dry sources: name one with --source-position or --source-name/)
  await two.pointBranch('next', await two.head('main'))
  const moved = await run('set', 'tuned', '--dry-source-revision', 'next', '--source-position', '2')
  assert.deepEqual([moved.stderr, moved.code], ['', 0])
  const { application: stored } = await applications.getApplication({ name: 'tuned' })
  assert.match(
    JSON.stringify(stored?.['spec']),
    /"drySources":\[\{[^}]*"main"\}?,?[^]*"targetRevision":"next"/,
  )
})
