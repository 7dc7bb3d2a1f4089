import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

// Put together, so that no scanner takes this file for a leak.
const leak = configMap('web', ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_'))
const place = { rule: 'secrets/github', object: 'ConfigMap/web', line: 6 }

const mesh = await meshOfFile()

/** Hydrates the Application `name` of a new repository with a ConfigMap and a `wadi.yaml`. */
async function hydrated(name: string, settings: string, object: string): Promise<RepositoryFixture> {
  const files = { 'wadi.yaml': settings, [`${name}/a.yaml`]: object }
  const repository = await mesh.fixture.createRepository(`acme/${name}`, files)
  const application = { name, repoURL: repository.url, branch: `environments/${name}` }
  await mesh.fixture.applyAndWait(await repository.dry.head(), application)
  return repository
}

async function findingsOf(repository: RepositoryFixture) {
  const filter = { repositories: [repository.url] }
  return (await mesh.fixture.gateway.applications.searchFindings({ filter })).findings
}

test('what made a hydration fail is listed until it is gone', async () => {
  const repository = await hydrated('denied', 'gates: {secrets: deny}\n', configMap('web', '1'))
  assert.deepEqual(await findingsOf(repository), [])
  await repository.push({ 'denied/a.yaml': leak })
  const { currentOperation } = await mesh.fixture.hydrate('denied')
  assert.equal(currentOperation?.phase, 'Failed')
  const [finding, ...more] = await findingsOf(repository)
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(finding, {
    ...place,
    name: 'denied',
    severity: 'deny',
    file: 'denied/a.yaml',
    drySha: currentOperation.drySHA,
  })
  await mesh.fixture.hydrateTo(await repository.push({ 'denied/a.yaml': configMap('web', '2') }), 'denied')
  assert.deepEqual(await findingsOf(repository), [])
})

const waiver = { owner: 'shop', reason: 'a demo', expires: '2999-12-31' }
const waivers = JSON.stringify([{ rule: 'secrets', ...waiver }])
const annotated = leak.replace('metadata:\n', `metadata:\n  annotations: {wadi.dev/waivers: '${waivers}'}\n`)

for (const [name, settings, object, line] of [
  ['waived', `waivers: ${waivers}`, leak, 6],
  ['annotated', 'waiverAnnotations: [annotated]', annotated, 7],
] as const) {
  test(`a finding that a waiver covers is listed with it, and is neither a warning nor in hydrator.metadata: ${name}`, async () => {
    const repository = await hydrated(name, `gates: {secrets: deny}\n${settings}\n`, object)
    const [finding, ...more] = await findingsOf(repository)
    assert.deepEqual(more, [])
    const expected = { ...place, line, severity: 'deny', file: `${name}/a.yaml`, waiver }
    assert.partialDeepStrictEqual(finding, expected)
    const text = await repository.read(`environments/${name}`, `${name}/hydrator.metadata`)
    assert.ok(!Object.hasOwn(JSON.parse(text) as object, 'findings'))
    const { application } = await mesh.fixture.gateway.applications.getApplication({ name })
    assert.doesNotMatch(JSON.stringify(application), /"warnings"/)
  })
}
