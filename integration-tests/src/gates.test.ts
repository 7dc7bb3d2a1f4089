import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

// Put together, so that no scanner takes this file for a leak.
const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const leak = configMap('web', token)

let mesh: MeshFixture
before(async () => {
  mesh = await startMeshFixture()
})
after(() => mesh[Symbol.asyncDispose]())

/** Hydrates Applications of one repository, the directories of the first dry commit. */
async function hydrated(name: string, files: Record<string, string>): Promise<RepositoryFixture> {
  const repository = await mesh.fixture.createRepository(name, files)
  const directories = new Set(
    Object.keys(files).flatMap((file) => (file.includes('/') ? [file.split('/', 1).join()] : [])),
  )
  const applications = Array.from(directories, (directory) => ({
    name: directory,
    repoURL: repository.url,
    branch: branchOf(name),
  }))
  await mesh.fixture.applyAndWait(await repository.dry.head(), ...applications)
  return repository
}

function branchOf(name: string): string {
  return `environments/${name}`
}

test('a denied object fails its Application and blocks the group: nothing is pushed until it is gone', async () => {
  const { fixture } = mesh
  const repository = await hydrated('denied', {
    'wadi.yaml': 'gates: {secrets: deny}\n',
    'denied/a.yaml': configMap('web', '1'),
    'beside/a.yaml': configMap('beside', '1'),
  })
  const head = await repository.head(branchOf('denied'))
  await repository.push({ 'denied/a.yaml': leak, 'beside/a.yaml': configMap('beside', '2') })
  const { currentOperation } = await fixture.hydrate('denied')
  assert.match(
    currentOperation?.message ?? '',
    /gates deny.*\ndenied\/a\.yaml:6: secrets\/github ConfigMap\/web data\.value: looks like a credential/,
  )
  assert.ok(!JSON.stringify(currentOperation).includes(token))
  assert.equal(await repository.head(branchOf('denied')), head)
  const fixed = await repository.push({ 'denied/a.yaml': configMap('web', '2') })
  await fixture.hydrateTo(fixed, 'denied')
  assert.match(await repository.read(branchOf('denied'), 'beside/manifest.yaml'), /value: "2"/)
})

test('a warning passes, and is in hydrator.metadata without the value', async () => {
  const repository = await hydrated('warned', {
    'wadi.yaml': 'gates: {secrets: warn}\n',
    'warned/a.yaml': leak,
  })
  const text = await repository.read(branchOf('warned'), 'warned/hydrator.metadata')
  const { findings } = JSON.parse(text) as {
    findings: { rule: string; place: { file: string; line: number } }[]
  }
  assert.deepEqual(
    findings.map(({ rule, place }) => [rule, place]),
    [['secrets/github', { file: 'warned/a.yaml', line: 6 }]],
  )
  assert.ok(!text.includes(token))
})

test("the operator's rule wins over the repository's, until it is gone", async () => {
  const { fixture } = mesh
  const rule = { 'wadi.gates': '[{gate: secrets, severity: deny, branches: [environments/ruled]}]' }
  const repository = await hydrated('ruled', {
    'wadi.yaml': 'gates: {secrets: "off"}\n',
    'ruled/a.yaml': leak,
  })
  const head = await repository.head(branchOf('ruled'))
  await fixture.applyOperatorSettings(rule)
  const failed = await fixture.hydrate('ruled')
  assert.match(
    failed.currentOperation?.message ?? '',
    /ruled\/a\.yaml:6: secrets\/github ConfigMap\/web data\.value/,
  )
  await fixture.applyOperatorSettings({})
  const passed = await fixture.hydrate('ruled')
  assert.equal(passed.currentOperation?.phase, 'Hydrated')
  // Nothing was found, so there is nothing to commit.
  assert.equal(await repository.head(branchOf('ruled')), head)
})

test('a waiver covers a denied object until its last day', async () => {
  const { fixture } = mesh
  const settings = (expires: string): string =>
    `gates: {secrets: deny}\nwaivers: [{rule: secrets/github, application: waived, reason: demo, owner: shop, expires: ${expires}}]\n`
  const repository = await hydrated('waived', { 'wadi.yaml': settings('2999-12-31'), 'waived/a.yaml': leak })
  const head = await repository.head(branchOf('waived'))
  assert.ok(!(await repository.read(head, 'waived/hydrator.metadata')).includes('findings'))
  await repository.push({ 'wadi.yaml': settings('2020-01-31') })
  const { currentOperation } = await fixture.hydrate('waived')
  assert.match(currentOperation?.message ?? '', /waived\/a\.yaml:6: secrets\/github/)
  assert.equal(await repository.head(branchOf('waived')), head)
})

test('wrong rules of the operator are an error of every Application, which names the key and the field', async () => {
  const { fixture } = mesh
  await hydrated('misruled', { 'misruled/a.yaml': configMap('web', '1') })
  await fixture.applyOperatorSettings({ 'wadi.gates': '[{gate: secret, severity: deny}]' })
  const { currentOperation } = await fixture.hydrate('misruled')
  assert.match(currentOperation?.message ?? '', /argocd-cm: wadi\.gates\[0\]\.gate must be one of secrets/)
  await fixture.applyOperatorSettings({})
})
