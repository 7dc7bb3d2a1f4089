import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { isSettled } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const zarf = `kind: ZarfPackageConfig
metadata: {name: packed}
components:
  - name: c
    required: true
    files: [{source: app.yaml, target: etc/app.yaml, template: true}]
    manifests: [{name: m, files: [cm.yaml]}]
`
const generated = 'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: run-}\n'
const forFlux = { 'wadi.dev/sync-tool': 'flux' }
const stopped = 'Flux applies nothing of the directory because of'

const mesh = await meshOfFile()

async function warningsOf(name: string): Promise<readonly string[]> {
  const { warnings = [] } = await mesh.fixture.waitFor(name, isSettled)
  return warnings
}

test('an Application that Flux applies has warnings of what stops Flux, with each run, and no other has', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('flux', {
    'packed/zarf.yaml': zarf,
    'packed/app.yaml': 'port: 80\n',
    'packed/cm.yaml': configMap('packed', '1'),
    'job/a.yaml': generated,
  })
  const [repoURL, branch] = [repository.url, 'environments/flux']
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(
    drySha,
    { name: 'packed', repoURL, branch, annotations: forFlux },
    { name: 'job', repoURL, branch },
  )
  const [warning = '', ...more] = await warningsOf('packed')
  assert.ok(
    warning.startsWith(`${stopped} files/etc/app.yaml: a file that is not a Kubernetes object`),
    warning,
  )
  assert.deepEqual([more, await warningsOf('job')], [[], []])
  // A second Application of the directory, which Flux applies, asks for both.
  const second = { name: 'job-east', path: 'job', syncPath: 'job', repoURL, branch, annotations: forFlux }
  const next = await repository.push({ 'packed/cm.yaml': configMap('packed', '2') }, 'Change one')
  await fixture.applyAndWait(next, second)
  for (const name of ['job', 'job-east']) {
    assert.deepEqual(await warningsOf(name), [
      `${stopped} Job run-…: an object without metadata.name, also with generateName; name it`,
    ])
  }
  assert.equal((await warningsOf('packed')).length, 1)
  await fixture.applyAndWait(next, { name: 'packed', repoURL, branch })
  await fixture.hydrate('packed', { hard: true })
  assert.deepEqual(await warningsOf('packed'), [])
})

test('an AppProject names the tool for its Applications, and one of them another', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('flux-project', { 'job/a.yaml': generated })
  const project = (annotations: Record<string, string>) => fixture.applyProject('fleet', {}, annotations)
  await project(forFlux)
  const shared = { path: 'job', repoURL: repository.url, branch: 'environments/fleet', project: 'fleet' }
  await fixture.applyAndWait(
    await repository.dry.head(),
    { ...shared, name: 'one' },
    { ...shared, name: 'two', annotations: { 'wadi.dev/sync-tool': 'argo-cd' } },
  )
  assert.equal((await warningsOf('one')).length, 1)
  assert.deepEqual(await warningsOf('two'), [])
  await project({})
  await fixture.hydrate('one')
  assert.deepEqual(await warningsOf('one'), [])
})

test('a sync tool that nobody knows is an error of the annotation', async () => {
  const { fixture } = mesh
  const application = { name: 'other', repoURL: 'https://git.example.com/a.git', branch: 'b' }
  await assert.rejects(
    fixture.apply({ ...application, annotations: { 'wadi.dev/sync-tool': 'fleet' } }),
    /annotation wadi\.dev\/sync-tool is "fleet"; give argo-cd or flux/,
  )
})
