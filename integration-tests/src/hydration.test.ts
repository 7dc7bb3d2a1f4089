import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const mesh = await meshOfFile()

/** Two applications on a branch of a new repository, hydrated once. */
async function hydratedPair(name: string) {
  const { fixture } = mesh
  const [one, two] = [`${name}-one`, `${name}-two`]
  const files = { [`${one}/a.yaml`]: configMap('one', '1'), [`${two}/a.yaml`]: configMap('two', '1') }
  const repository = await fixture.createRepository(name, files)
  const branch = `environments/${name}`
  const drySha = await repository.dry.head()
  const applications = [one, two].map((app) => ({ name: app, repoURL: repository.url, branch }))
  await fixture.applyAndWait(drySha, ...applications)
  return { fixture, repository, branch, drySha, one, two }
}

test('a first hydration makes an orphan branch with one commit that holds every application', async () => {
  const { repository, branch, drySha, one, two } = await hydratedPair('first')
  const [commit = '', ...more] = await repository.commits(branch)
  assert.deepEqual(more, [])
  assert.equal(await repository.commitField(commit, '%P'), '')
  assert.deepEqual(await repository.files(commit), [
    ...[one, two].flatMap((app) => [`${app}/README.md`, `${app}/hydrator.metadata`, `${app}/manifest.yaml`]),
    'hydrator.metadata',
  ])
  const expected = 'apiVersion: v1\ndata:\n  value: "1"\nkind: ConfigMap\nmetadata:\n  name: one\n'
  assert.equal(await repository.read(commit, `${one}/manifest.yaml`), expected)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
  const root = JSON.parse(await repository.read(commit, 'hydrator.metadata')) as Record<string, unknown>
  assert.equal(root['drySha'], drySha)
  assert.equal(root['repoURL'], repository.url)
  assert.match(await repository.commitField(commit, '%s'), new RegExp(`^${drySha.slice(0, 7)}: First conf`))
})

test('a change of one application makes one commit that touches its directory and the root metadata', async () => {
  const { fixture, repository, branch, one, two } = await hydratedPair('change')
  const drySha = await repository.push({ [`${one}/a.yaml`]: configMap('one', '2') })
  await fixture.hydrateTo(drySha, two)
  const commits = await repository.commits(branch)
  assert.equal(commits.length, 2)
  assert.deepEqual(await repository.changedFiles(branch), [
    `${one}/README.md`,
    `${one}/hydrator.metadata`,
    `${one}/manifest.yaml`,
    'hydrator.metadata',
  ])
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})

test('a dry commit that changes no manifest makes no commit and moves the note', async () => {
  const { fixture, repository, branch, one } = await hydratedPair('readme')
  const [head = ''] = await repository.commits(branch)
  const drySha = await repository.push({ 'README.md': 'Only words.\n' })
  const status = await fixture.hydrateTo(drySha, one)
  assert.deepEqual(await repository.commits(branch), [head])
  assert.equal(await repository.note(branch), `{"drySha":"${drySha}"}\n`)
  assert.equal(status.lastSuccessfulOperation?.hydratedSHA, head)
})

test('an application that is added at an unchanged dry commit is hydrated', async () => {
  const { fixture, repository, branch, drySha, one } = await hydratedPair('added')
  await fixture.applyAndWait(drySha, {
    name: 'added-three',
    path: one,
    repoURL: repository.url,
    branch,
  })
  assert.equal((await repository.commits(branch)).length, 2)
  assert.equal(
    await repository.read(branch, 'added-three/manifest.yaml'),
    await repository.read(branch, `${one}/manifest.yaml`),
  )
})

test('a changed spec is hydrated at an unchanged dry commit', async () => {
  const { fixture, repository, branch, drySha, one, two } = await hydratedPair('spec')
  await fixture.apply({ name: one, path: two, repoURL: repository.url, branch })
  await fixture.waitFor(one, isHydratedAt(drySha))
  assert.equal((await repository.commits(branch)).length, 2)
  assert.match(await repository.read(branch, `${one}/manifest.yaml`), /name: two/)
})

test('a request is one run: what is pushed after it waits for the next', async () => {
  const { fixture } = mesh
  const { repository, branch } = await fixture.hydratedOnce('asked')
  await fixture.hydrateTo(await repository.push({ 'asked/a.yaml': configMap('asked', '2') }), 'asked')
  const hydrated = await repository.head(branch)
  await repository.push({ 'asked/a.yaml': configMap('asked', '3') })
  // This Application changes after the request, so what the request set off has ended by then.
  await fixture.hydratedOnce('changed-later')
  assert.equal(await repository.head(branch), hydrated)
})

test('a hard hydration restores a manifest that somebody tampered with', async () => {
  const { fixture, repository, branch, drySha, one } = await hydratedPair('tamper')
  const path = `${one}/manifest.yaml`
  const rendered = await repository.read(branch, path)
  await repository.pushForeign(branch, { [path]: 'tampered: true\n' })
  const status = await fixture.hydrate(one, { hard: true })
  assert.equal(status.currentOperation?.phase, 'Hydrated')
  assert.equal(await repository.read(branch, path), rendered)
  assert.equal((await repository.commits(branch)).length, 3)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})

test('a hard hydration of a branch that is right makes no commit', async () => {
  const { fixture, repository, branch, one } = await hydratedPair('right')
  const commits = await repository.commits(branch)
  const status = await fixture.hydrate(one, { hard: true })
  assert.equal(status.currentOperation?.phase, 'Hydrated')
  assert.deepEqual(await repository.commits(branch), commits)
})

test('lineage every gives each dry commit a hydrated commit, in order and with its authored date', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('lineage', { 'lineage/a.yaml': configMap('line', '0') })
  const [branch, name] = ['environments/lineage', 'lineage']
  const annotations = { 'wadi.dev/lineage': 'every' }
  await fixture.applyAndWait(await repository.dry.head(), {
    name,
    repoURL: repository.url,
    branch,
    annotations,
  })
  const dates = ['2024-03-01T10:00:00Z', '2024-03-02T11:00:00Z', '2024-03-03T12:00:00Z']
  const drySubjects: string[] = []
  for (const [index, date] of dates.entries()) {
    const files = { 'lineage/a.yaml': configMap('line', String(index + 1)) }
    const sha = await repository.push(files, `Step ${index + 1}`, { date: new Date(date) })
    drySubjects.push(`${sha.slice(0, 7)}: Step ${index + 1}`)
  }
  await fixture.hydrateTo(await repository.dry.head(), name)
  const commits = (await repository.commits(branch)).toReversed().slice(1)
  assert.equal(commits.length, 3)
  const subjects = await Promise.all(commits.map((commit) => repository.commitField(commit, '%s')))
  assert.deepEqual(subjects, drySubjects)
  const times = await Promise.all(commits.map((commit) => repository.commitField(commit, '%at')))
  assert.deepEqual(
    times.slice(0, 2),
    dates.slice(0, 2).map((date) => String(Date.parse(date) / 1000)),
  )
  for (const [index, commit] of commits.entries()) {
    assert.match(await repository.read(commit, 'lineage/manifest.yaml'), new RegExp(`value: "${index + 1}"`))
  }
})

test('lineage latest, the default, gives several dry commits one hydrated commit', async () => {
  const { fixture, repository, branch, one } = await hydratedPair('latest')
  for (const value of ['2', '3']) await repository.push({ [`${one}/a.yaml`]: configMap('one', value) })
  const drySha = await repository.dry.head()
  await fixture.hydrateTo(drySha, one)
  assert.equal((await repository.commits(branch)).length, 2)
  assert.match(await repository.read(branch, `${one}/manifest.yaml`), /value: "3"/)
})
