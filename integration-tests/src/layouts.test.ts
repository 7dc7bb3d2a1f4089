import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { configMap } from './application-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

const branch = 'environments/prod'
const perObject = { 'wadi.dev/layout': 'file-per-object' }

/** A chart whose objects have equal names in two namespaces, in letters that file systems refuse, and a definition of a kind. */
const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'replicas: 1\n',
  'web/crds/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
`,
  'web/templates/all.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a}
spec: {replicas: {{ .Values.replicas }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: a}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: b}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:web"}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: system-web}
`,
}

let mesh: MeshFixture
let repository: RepositoryFixture
/** The bytes of the default layout. */
let manifest: string

before(async () => {
  mesh = await startMeshFixture()
  repository = await mesh.fixture.createRepository('layouts', chart)
  await mesh.fixture.applyAndWait(await repository.dry.head(), webWith({}))
  manifest = await repository.read(branch, 'web/manifest.yaml')
})

after(() => mesh[Symbol.asyncDispose]())

function webWith(annotations: Record<string, string>) {
  return { name: 'web', repoURL: repository.url, branch, annotations }
}

/** Changes the layout of the Application and waits for the commit that it makes. */
async function switchTo(annotations: Record<string, string>): Promise<string[]> {
  const old = await repository.head(branch)
  await mesh.fixture.apply(webWith(annotations))
  await mesh.fixture.hydrate('web')
  assert.equal((await repository.commits(branch))[1], old)
  const files = await repository.files(branch)
  return files.filter((path) => path.startsWith('web/') && path.endsWith('.yaml'))
}

async function recordOf(name = 'web'): Promise<Record<string, unknown>> {
  return JSON.parse(await repository.read(branch, `${name}/hydrator.metadata`)) as Record<string, unknown>
}

async function wadi(...args: string[]) {
  const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token, XDG_CACHE_HOME: cacheHome }
  const { stdout, stderr, code } = await runWadi(args, { environment })
  return { stdout, stderr, code }
}

/** Checks that people and programs read the same of the branch in every layout. */
async function assertReadable(subject: string): Promise<void> {
  assert.deepEqual(await wadi('app', 'manifests', 'web'), { stdout: manifest, stderr: '', code: 0 })
  assert.deepEqual(await wadi('app', 'diff', 'web'), { stdout: '', stderr: '', code: 0 })
  const short = (await repository.dry.head()).slice(0, 7)
  const source = ['--repo', repository.directory, '--branch', branch, '--dry-repo', repository.directory]
  assert.deepEqual(await wadi('reproduce', 'web', ...source), {
    stdout: `web: ${subject} reproduced byte for byte from ${short}\n`,
    stderr: '',
    code: 0,
  })
}

test('the default layout records nothing of layouts', async () => {
  const record = await recordOf()
  for (const key of ['layout', 'crds', 'manifests']) assert.ok(!(key in record), key)
  await assertReadable('manifest.yaml is')
})

test('one commit gives each object its file, keeps foreign files, and readers read what they read before', async () => {
  await repository.pushForeign(branch, { 'web/theirs.yaml': 'theirs: true\n' })
  const files = await switchTo(perObject)
  const [first = '', second = ''] = files.filter((path) => path.startsWith('web/clusterrole-system-web-'))
  assert.deepEqual(
    files.filter((path) => path !== first && path !== second),
    [
      'web/a_configmap-web.yaml',
      'web/b_configmap-web.yaml',
      'web/customresourcedefinition-things.example.com.yaml',
      'web/deployment-web.yaml',
      'web/theirs.yaml',
    ],
  )
  assert.match(second, /^web\/clusterrole-system-web-[0-9a-f]{12}\.yaml$/)
  assert.equal((await recordOf())['layout'], 'file-per-object')
  assert.match(await repository.read(branch, 'web/README.md'), /one object each/)
  await assertReadable('6 files with manifests are')
})

test('a change of one object is a commit of its file alone', async () => {
  const sha = await repository.push({ 'web/values.yaml': 'replicas: 2\n' })
  await mesh.fixture.hydrateTo(sha, 'web')
  manifest = manifest.replace('replicas: 1', 'replicas: 2')
  assert.deepEqual(await repository.changedFiles(await repository.head(branch)), [
    'hydrator.metadata',
    'web/README.md',
    'web/deployment-web.yaml',
    'web/hydrator.metadata',
  ])
  await assertReadable('6 files with manifests are')
})

test('somebody else’s edit of such a file is a foreign change that is put back; one of a foreign file is not', async () => {
  await mesh.fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': 'restore' })
  const text = await repository.read(branch, 'web/deployment-web.yaml')
  await repository.pushForeign(branch, {
    'web/deployment-web.yaml': 'kind: Evil\n',
    'web/b_configmap-web.yaml': undefined,
    'web/theirs.yaml': 'theirs: again\n',
  })
  const foreign = await repository.head(branch)
  await mesh.fixture.poll()
  await repository.waitForHead(branch, (head) => head !== foreign)
  assert.deepEqual(await repository.changedFiles(await repository.head(branch)), [
    'web/b_configmap-web.yaml',
    'web/deployment-web.yaml',
  ])
  assert.equal(await repository.read(branch, 'web/deployment-web.yaml'), text)
  await mesh.fixture.applyOperatorSettings({})
})

test('the history names the commits of every layout, and none that changed foreign files alone', async () => {
  const { gateway } = mesh.fixture
  const { entries } = await gateway.applications.listHistory({ name: 'web' })
  const subjects = entries.map(({ subject }) => subject)
  assert.equal(subjects.length, 5)
  assert.ok(subjects.every((subject) => /^(?:[0-9a-f]{7}: |Restore|Something of our own)/.test(subject)))
  const commits = await repository.commits(branch)
  const theirs = commits.at(-2)
  assert.ok(!entries.some(({ hydratedSha }) => hydratedSha === theirs))
})

test('definitions of kinds have a file of their own, or are left out and not missed', async () => {
  const separate = await switchTo({ 'wadi.dev/crds': 'separate' })
  assert.deepEqual(separate, ['web/crds.yaml', 'web/manifest.yaml', 'web/theirs.yaml'])
  assert.match(await repository.read(branch, 'web/crds.yaml'), /^ {2}name: things\.example\.com$/m)
  assert.doesNotMatch(await repository.read(branch, 'web/manifest.yaml'), /CustomResourceDefinition/)
  const omitted = await switchTo({ 'wadi.dev/crds': 'omit' })
  assert.deepEqual(omitted, ['web/manifest.yaml', 'web/theirs.yaml'])
  const full = manifest
  const definition = full.split('---\n').find((text) => text.includes('CustomResourceDefinition')) ?? ''
  manifest = full
    .split('---\n')
    .filter((text) => text !== definition)
    .join('---\n')
  await assertReadable('manifest.yaml is')
  manifest = full
})

test('the way back to the default layout gives the bytes that it had', async () => {
  assert.deepEqual(await switchTo({}), ['web/manifest.yaml', 'web/theirs.yaml'])
  assert.equal(await repository.read(branch, 'web/manifest.yaml'), manifest)
  assert.ok(!('layout' in (await recordOf())))
})

test('an AppProject chooses for its Applications, and one of them otherwise', async () => {
  const { fixture } = mesh
  const project = (annotations: Record<string, string>) => fixture.applyProject('shop', {}, annotations)
  await project({})
  const shop = { ...webWith({}), name: 'shop', path: 'web', project: 'shop' }
  const own = { ...shop, name: 'own', annotations: { 'wadi.dev/layout': 'one-file' } }
  await fixture.applyAndWait(await repository.dry.head(), shop, own)
  const old = await repository.head(branch)
  await project(perObject)
  await repository.waitForHead(branch, (head) => head !== old)
  const files = await repository.files(branch)
  assert.ok(files.includes('shop/deployment-web.yaml'))
  assert.ok(!files.includes('shop/manifest.yaml'))
  assert.ok(files.includes('own/manifest.yaml'))
})

test('a layout that is not one is refused when it is written, and one of two for one directory by both', async () => {
  const { fixture } = mesh
  await assert.rejects(fixture.apply(webWith({ 'wadi.dev/layout': 'kustomize' })), {
    rawMessage:
      'Application argocd/web: annotation wadi.dev/layout is "kustomize"; give one-file, as-argo-cd or file-per-object',
  })
  const shared = { ...webWith({}), path: 'web', syncPath: 'shared', branch: 'environments/shared' }
  await fixture.apply({ ...shared, name: 'one' })
  const message = await fixture.applyAndFail({ ...shared, name: 'two', annotations: perObject })
  assert.match(message, /also claimed by application argocd\/one with another layout/)
})

test('of 5,000 objects in 5,000 files a commit writes the one that changed', async (context) => {
  const { fixture } = mesh
  const objects = Array.from({ length: 5_000 }, (_, index) => configMap(`object-${index}`, 'x'.repeat(400)))
  const many = await fixture.createRepository('many', { 'many/all.yaml': objects.join('---\n') })
  const source = { repoURL: many.url, path: 'many' }
  const layouts = { one: {}, each: perObject }
  const timed = async (step: string, name: string, work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now()
    await work()
    context.diagnostic(`${step} of layout ${name}: ${Math.round(performance.now() - started)} ms`)
  }
  for (const [name, annotations] of Object.entries(layouts)) {
    const application = { ...source, name, annotations, branch: `many/${name}` }
    await timed('first commit', name, async () => fixture.applyAndWait(await many.dry.head(), application))
  }
  const sha = await many.push({ 'many/all.yaml': [...objects, configMap('added', '1')].join('---\n') })
  for (const name of Object.keys(layouts)) await timed('change', name, () => fixture.hydrateTo(sha, name))
  const changed = await many.changedFiles('many/each')
  assert.deepEqual(changed, [
    'each/README.md',
    'each/configmap-added.yaml',
    'each/hydrator.metadata',
    'hydrator.metadata',
  ])
  const [one, each] = await Promise.all(
    Object.keys(layouts).map((name) => fixture.gateway.applications.getManifests({ name })),
  )
  assert.equal(each?.manifest, one?.manifest)
})
