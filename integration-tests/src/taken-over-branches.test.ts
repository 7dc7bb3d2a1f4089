import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

const branch = 'environments/prod'
const attributes = '**/README.md linguist-generated=true\n**/hydrator.metadata linguist-generated=true'
const asArgoCd = { 'wadi.dev/layout': 'as-argo-cd' }

/** A chart, and plain files whose names git and Argo CD have in another order. */
const dryFiles = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'replicas: 1\n',
  'web/templates/all.yaml': `apiVersion: v1
kind: Service
metadata: {name: a-{{ .Release.Name }}, annotations: {}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b-{{ .Release.Name }}}
data: {replicas: {{ .Values.replicas | quote }}}
`,
  'plain/one/inner.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\n',
  'plain/one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
}

/** The files that Argo CD's hydrator writes for them: with objects as helm prints them, and as their files come. */
const hydratedFiles = (replicas: number): Record<string, string> => ({
  'web/manifest.yaml': `apiVersion: v1
data:
  replicas: "${replicas}"
kind: ConfigMap
metadata:
  name: b-web
---
apiVersion: v1
kind: Service
metadata:
  name: a-web
`,
  'plain/manifest.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: z
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
`,
})

let repository: RepositoryFixture

const mesh = await meshOfFile()

/** Pushes a branch as Argo CD's hydrator does, with a note; returns its head. */
async function pushAsArgoCd(drySha: string, files: Record<string, string>): Promise<string> {
  const record = (commands: string[] = []) =>
    `${JSON.stringify({ repoURL: repository.url, drySha, ...(commands.length > 0 && { commands }) }, undefined, 2)}\n`
  const all = Object.entries(files).flatMap(([path, text]) => [
    [path, text] as const,
    [path.replace('manifest.yaml', 'README.md'), '# Manifest Hydration\n'] as const,
    [path.replace('manifest.yaml', 'hydrator.metadata'), record(['helm template .'])] as const,
  ])
  const root = { 'hydrator.metadata': record(), '.gitattributes': attributes }
  const head = await repository.pushForeign(branch, { ...root, ...Object.fromEntries(all) })
  const note = JSON.stringify({ drySha })
  const identity = ['-c', 'user.name=Argo CD', '-c', 'user.email=argo-cd@example.com']
  const notes = ['notes', '--ref=hydrator.metadata', 'add', '-m', note, head]
  await runTestGit(repository.directory, [...identity, ...notes])
  return head
}

function applications(annotations: Record<string, string>) {
  const shared = { repoURL: repository.url, branch, annotations }
  return [
    { ...shared, name: 'web', source: { helm: { releaseName: 'web' } } },
    { ...shared, name: 'plain', source: { directory: { recurse: true } } },
  ]
}

test('a branch of Argo CD’s own hydrator is taken over without a commit, and changes with the dry commits', async () => {
  const { fixture } = mesh
  repository = await fixture.createRepository('taken', dryFiles)
  const drySha = await repository.dry.head()
  const head = await pushAsArgoCd(drySha, hydratedFiles(1))
  await fixture.applyAndWait(drySha, ...applications(asArgoCd))
  assert.equal(await repository.head(branch), head)
  const note = await runTestGit(repository.directory, ['notes', '--ref=hydrator.metadata', 'show', head])
  assert.equal((JSON.parse(note) as Record<string, unknown>)['drySha'], drySha)
  const next = await repository.push({ 'web/values.yaml': 'replicas: 2\n' })
  await fixture.hydrateTo(next, 'web')
  assert.deepEqual(await repository.changedFiles(branch), [
    'hydrator.metadata',
    'web/README.md',
    'web/hydrator.metadata',
    'web/manifest.yaml',
  ])
  for (const [path, text] of Object.entries(hydratedFiles(2))) {
    assert.equal(await repository.read(branch, path), text)
  }
  assert.equal(await repository.read(branch, '.gitattributes'), attributes)
  assert.match(
    await repository.read(branch, 'web/README.md'),
    /\[manifest\.yaml\]\(\.\/manifest\.yaml\) contains/,
  )
  const record = JSON.parse(await repository.read(branch, 'web/hydrator.metadata')) as Record<string, unknown>
  assert.equal(record['layout'], 'as-argo-cd')
})

test('without that layout the first commit sorts the objects, and with it they are put back', async () => {
  const { fixture } = mesh
  const taken = await repository.head(branch)
  await fixture.applyAndWait(await repository.dry.head(), ...applications({}))
  await repository.waitForHead(branch, (head) => head !== taken)
  assert.match(await repository.read(branch, 'web/manifest.yaml'), /a-web[^]*b-web/)
  const sorted = await repository.head(branch)
  for (const application of applications(asArgoCd)) await fixture.apply(application)
  await repository.waitForHead(branch, (head) => head !== sorted)
  await fixture.hydrate('web')
  for (const [path, text] of Object.entries(hydratedFiles(2))) {
    assert.equal(await repository.read(branch, path), text)
  }
})
