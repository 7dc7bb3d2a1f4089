import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'
import { compareRevisions, propose } from './review-fixture.ts'

const mesh = await meshOfFile()

/** Hydrates the Application of this name, whose chart these files are. */
async function hydrated(name: string, files: Record<string, string>): Promise<RepositoryFixture> {
  const { fixture } = mesh
  const repository = await fixture.createRepository(name, files)
  const application = { name, repoURL: repository.url, branch: `environments/${name}` }
  await fixture.applyAndWait(await repository.dry.head(), application)
  return repository
}

test('values that a chart makes at each render are masked and named, whatever they are compared with', async () => {
  const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: login}
data:
  file: |
    password: {{ if .Values.password }}{{ .Values.password }}{{ else }}{{ randAlphaNum 20 }}{{ end }}
    level: {{ .Values.level }}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
data:
  password: {{ randAlphaNum 20 | b64enc }}
`
  const repository = await hydrated('random', {
    'random/Chart.yaml': 'apiVersion: v2\nname: random\nversion: 1.0.0\n',
    'random/values.yaml': 'level: info\n',
    'random/templates/login.yaml': template,
  })
  const compared = async (base: string) => {
    const request = { repoUrl: repository.url, revision: 'feature', base }
    const { summary, applications } = await compareRevisions(mesh.fixture.gateway, request)
    const { outcome, objects = [], warnings = [] } = applications.get('random') ?? {}
    return { summary, outcome, objects, warnings }
  }
  const proposeValues = (values: string) =>
    propose(repository, 'refs/heads/feature', { 'random/values.yaml': values })
  for (const base of ['main', '', 'main']) {
    await proposeValues('level: info\nother: 1\n')
    const same = await compared(base)
    assert.deepEqual([same.outcome, same.objects, same.summary.unchanged], ['unchanged', [], 1], base)
    assert.equal(same.warnings.length, 1)
    assert.match(
      same.warnings[0] ?? '',
      /^random at each render: renders differ in ConfigMap .*login: data\.file; Secret .*login: data\.password \(randAlphaNum in random\/templates\/login\.yaml:6/,
    )
    await proposeValues('level: debug\n')
    const beside = await compared(base)
    assert.deepEqual(
      beside.objects.map(({ change, identity }) => `${change} ${identity?.kind}`),
      ['changed ConfigMap'],
    )
    assert.match(beside.objects[0]?.before ?? '', /<random at each render>\n {4}level: info\n/)
    assert.match(beside.objects[0]?.after ?? '', /<random at each render>\n {4}level: debug\n/)
    await proposeValues('level: info\npassword: fixed\n')
    const fixed = await compared(base)
    assert.notEqual(fixed.objects[0]?.before, fixed.objects[0]?.after)
    assert.match(fixed.objects[0]?.after ?? '', /password: fixed\n {4}level: info\n/)
  }
})

test('a value that becomes random is a change', async () => {
  const template = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: login}\ndata:\n  password: ${value}\n`
  const repository = await hydrated('unfixed', {
    'unfixed/Chart.yaml': 'apiVersion: v2\nname: unfixed\nversion: 1.0.0\n',
    'unfixed/templates/login.yaml': template('fixed'),
  })
  await propose(repository, 'refs/heads/feature', {
    'unfixed/templates/login.yaml': template('{{ randAlphaNum 20 }}'),
  })
  for (const base of ['main', '']) {
    const request = { repoUrl: repository.url, revision: 'feature', base }
    const { applications } = await compareRevisions(mesh.fixture.gateway, request)
    const { objects = [], warnings = [] } = applications.get('unfixed') ?? {}
    assert.match(objects[0]?.before ?? '', /password: fixed/)
    assert.match(objects[0]?.after ?? '', /password: <random at each render>/)
    assert.match(warnings.join(), /^random at each render: renders differ in ConfigMap/)
  }
})

test('many branches with random values are compared, though few are rendered at a time', async () => {
  const { fixture } = mesh
  const names = Array.from({ length: 6 }, (_, index) => `many-${index}`)
  const filesOf = (level: string) =>
    Object.fromEntries(names.map((name) => [`${name}/values.yaml`, `level: ${level}\n`]))
  const charts = names.flatMap((name) => [
    [`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
    [
      `${name}/templates/a.yaml`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  level: {{ .Values.level }}\n  made: {{ randAlphaNum 20 }}\n',
    ],
  ])
  const repository = await fixture.createRepository('many', {
    ...Object.fromEntries(charts),
    ...filesOf('info'),
  })
  const applications = names.map((name) => ({
    name,
    repoURL: repository.url,
    branch: `environments/${name}`,
  }))
  await fixture.applyAndWait(await repository.dry.head(), ...applications)
  await propose(repository, 'refs/heads/feature', filesOf('debug'))
  for (const base of ['main', '']) {
    const request = { repoUrl: repository.url, revision: 'feature', base }
    const { summary, applications: found } = await compareRevisions(fixture.gateway, request)
    assert.deepEqual([summary.changed, summary.objectsChanged], [6, 6])
    for (const { objects } of found.values())
      assert.match(objects[0]?.after ?? '', /level: debug\n {2}made: <random at each render>/)
  }
})
