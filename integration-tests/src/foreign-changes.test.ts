import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { SourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import { configMap } from './application-fixture.ts'
import { type ApplicationState, isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

const mesh = await meshOfFile()

afterEach(async () => {
  const { applications } = mesh.fixture.gateway
  for (const name of made.splice(0)) await applications.deleteApplication({ name })
})
type Policy = 'report' | 'restore' | 'block'

interface Scene {
  name: string
  branch: string
  repository: RepositoryFixture
  /** Dry commit and hydrated head of the first and the second hydration. */
  drySHAs: [string, string]
  heads: [string, string]
}

/** Names of the Applications of the test under way. */
const made: string[] = []

/** An Application that was hydrated twice under a policy. */
async function hydratedTwice(name: string, policy: Policy): Promise<Scene> {
  const { fixture } = mesh
  await fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': policy })
  const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
  const branch = `environments/${name}`
  const first = await repository.dry.head()
  await fixture.applyAndWait(first, { name, repoURL: repository.url, branch })
  const firstHead = await repository.head(branch)
  const second = await repository.push({ [`${name}/a.yaml`]: configMap(name, '2') })
  await fixture.hydrateTo(second, name)
  made.push(name)
  const heads: [string, string] = [firstHead, await repository.head(branch)]
  return { name, branch, repository, drySHAs: [first, second], heads }
}

function hasChange(kind: string): (state: ApplicationState) => boolean {
  return ({ status }) => status.foreignChange?.kind === kind
}

/** Has every branch looked at, and waits for the end: a poll that finds nothing writes nothing, so the change of another branch is waited for. */
async function pollOnce(): Promise<void> {
  clock ??= await hydratedTwice('clock', 'report').finally(() => made.pop())
  await mesh.fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': 'report' })
  const text = `a: ${++rounds}\n`
  const foreign = await clock.repository.pushForeign(clock.branch, { 'clock/manifest.yaml': text })
  await mesh.fixture.poll()
  await mesh.fixture.waitFor('clock', ({ status }) => status.foreignChange?.headSha === foreign)
}
let clock: Scene | undefined
let rounds = 0

async function statusOf(name: string): Promise<SourceHydratorStatus> {
  return mesh.fixture.waitFor(name, () => true)
}

test('an edit is reported with commit, author and file, and the branch is left alone until a dry commit comes', async () => {
  const { name, branch, repository, heads } = await hydratedTwice('edited', 'report')
  const foreign = await repository.pushForeign(branch, { 'edited/manifest.yaml': 'kind: Evil\n' })
  await mesh.fixture.poll()
  const { foreignChange, currentOperation } = await mesh.fixture.waitFor(name, hasChange('edited'))
  assert.deepEqual(
    [foreignChange?.knownHead, foreignChange?.headSha, foreignChange?.commit, foreignChange?.paths],
    [heads[1], foreign, foreign, ['edited/manifest.yaml']],
  )
  assert.equal(
    foreignChange?.message,
    `branch ${branch} was edited in commit ${foreign.slice(0, 7)} by Foreigner <foreigner@example.com>, unsigned: edited/manifest.yaml`,
  )
  assert.equal(currentOperation?.phase, 'Hydrated')
  assert.equal(await repository.head(branch), foreign)
  const third = await repository.push({ 'edited/a.yaml': configMap('edited', '3') })
  await mesh.fixture.poll()
  const settled = await mesh.fixture.waitFor(name, isHydratedAt(third))
  assert.equal(settled.foreignChange, undefined)
  assert.match(await repository.read(branch, 'edited/manifest.yaml'), /value: "3"/)
})

test('a deleted and a rewound branch are reported, and going back to what Wadi left ends the report', async () => {
  const { name, branch, repository, heads } = await hydratedTwice('gone', 'report')
  const { startedAt } = (await statusOf(name)).currentOperation ?? {}
  await repository.pointBranch(branch, undefined)
  await mesh.fixture.poll()
  const deleted = await mesh.fixture.waitFor(name, hasChange('deleted'))
  assert.equal(
    deleted.foreignChange?.message,
    `branch ${branch} was deleted; Wadi had left it at ${heads[1].slice(0, 7)}`,
  )
  await repository.pointBranch(branch, heads[0])
  await mesh.fixture.poll()
  await mesh.fixture.waitFor(name, hasChange('rewound'))
  await repository.pointBranch(branch, heads[1])
  await mesh.fixture.poll()
  const settled = await mesh.fixture.waitFor(name, ({ status }) => status.foreignChange === undefined)
  assert.equal(settled.currentOperation?.startedAt, startedAt)
})

test('files that Wadi never wrote, and a merge that keeps its files, are nobody’s tampering', async () => {
  const { name, branch, repository } = await hydratedTwice('foreign-files', 'restore')
  const files = { CODEOWNERS: '* @platform\n', 'foreign-files/patch.yaml': 'a: 1\n', 'README.md': 'ours\n' }
  const foreign = await repository.pushForeign(branch, files)
  await pollOnce()
  assert.equal((await statusOf(name)).foreignChange, undefined)
  assert.equal(await repository.head(branch), foreign)
  const status = await mesh.fixture.hydrate(name)
  assert.equal(status.currentOperation?.phase, 'Hydrated')
  assert.equal(await repository.head(branch), foreign)
})

test('restore puts edited files back with one commit on top of the foreign one', async () => {
  const { name, branch, repository, heads, drySHAs } = await hydratedTwice('restored', 'restore')
  const edits = {
    'restored/manifest.yaml': 'kind: Evil\n',
    'restored/README.md': undefined,
    'NOTES.md': 'ours\n',
  }
  const foreign = await repository.pushForeign(branch, edits)
  await mesh.fixture.poll()
  await repository.waitForHead(branch, (head) => head !== foreign)
  const [head = '', below] = await repository.commits(branch)
  assert.equal(below, foreign)
  assert.deepEqual(await repository.changedFiles(head), ['restored/README.md', 'restored/manifest.yaml'])
  for (const file of ['restored/README.md', 'restored/manifest.yaml', 'hydrator.metadata']) {
    assert.equal(await repository.read(branch, file), await repository.read(heads[1], file))
  }
  assert.equal(await repository.read(branch, 'NOTES.md'), 'ours\n')
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha: drySHAs[1] })
  const { foreignChange, currentOperation } = await statusOf(name)
  assert.deepEqual([foreignChange, currentOperation?.phase], [undefined, 'Hydrated'])
})

test('restore creates a deleted branch again and moves a rewound one forward, without a new commit', async () => {
  const { branch, repository, heads, drySHAs } = await hydratedTwice('revived', 'restore')
  for (const place of [undefined, heads[0]]) {
    await repository.pointBranch(branch, place)
    await mesh.fixture.poll()
    await repository.waitForHead(branch, (head) => head === heads[1])
    assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha: drySHAs[1] })
  }
})

test('restore builds on a rewritten history and never forces', async () => {
  const { branch, repository, heads } = await hydratedTwice('rewritten', 'restore')
  const foreign = await repository.pushForeign('other-history', { 'rewritten/manifest.yaml': 'kind: Evil\n' })
  await repository.pointBranch(branch, foreign)
  await mesh.fixture.poll()
  await repository.waitForHead(branch, (head) => head !== foreign)
  assert.equal((await repository.commits(branch))[1], foreign)
  assert.equal(
    await repository.read(branch, 'rewritten/manifest.yaml'),
    await repository.read(heads[1], 'rewritten/manifest.yaml'),
  )
})

test('block stops the branch until a hard hydration confirms, and the status says why', async () => {
  const { name, branch, repository, heads } = await hydratedTwice('blocked', 'block')
  const foreign = await repository.pushForeign(branch, { 'blocked/manifest.yaml': 'kind: Mine\n' })
  await mesh.fixture.poll()
  const message = await mesh.fixture.waitForFailure(name)
  assert.match(message, /^Failed to hydrate: branch environments\/blocked was edited in commit/)
  assert.match(message, /sourceHydrator\.foreignChanges is block/)
  assert.match(message, /"wadi app hydrate blocked --hard"/)
  const third = await repository.push({ 'blocked/a.yaml': configMap('blocked', '3') })
  await mesh.fixture.poll()
  await mesh.fixture.waitFor(name, ({ status }) => status.currentOperation?.drySHA === third)
  const held = await mesh.fixture.hydrate(name)
  assert.equal(held.currentOperation?.phase, 'Failed')
  assert.equal(await repository.head(branch), foreign)
  await mesh.fixture.hydrate(name, { hard: true })
  const settled = await mesh.fixture.waitFor(name, isHydratedAt(third))
  assert.equal(settled.foreignChange, undefined)
  assert.match(await repository.read(branch, 'blocked/manifest.yaml'), /value: "3"/)
  assert.deepEqual((await repository.commits(branch)).slice(2), [foreign, ...heads.toReversed()])
})

test('a blocked branch continues by itself when its change is undone', async () => {
  const { name, branch, repository, heads, drySHAs } = await hydratedTwice('undone', 'block')
  await repository.pointBranch(branch, heads[0])
  await mesh.fixture.poll()
  await mesh.fixture.waitForFailure(name)
  await repository.pointBranch(branch, heads[1])
  await mesh.fixture.poll()
  const { foreignChange } = await mesh.fixture.waitFor(name, isHydratedAt(drySHAs[1]))
  assert.equal(foreignChange, undefined)
})

test('a staging branch that is deleted after its merge is not a foreign change', async () => {
  const { fixture } = mesh
  await fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': 'restore' })
  const [name, branch, hydrateTo] = ['merged', 'environments/merged', 'environments/merged-next']
  const repository = await fixture.createRepository(name, { 'merged/a.yaml': configMap(name, '1') })
  await fixture.applyAndWait(await repository.dry.head(), {
    name,
    repoURL: repository.url,
    branch,
    hydrateTo,
  })
  await repository.fastForward(branch, hydrateTo)
  await repository.pointBranch(hydrateTo, undefined)
  await pollOnce()
  assert.equal(await repository.head(hydrateTo), '')
  assert.equal((await statusOf(name)).foreignChange, undefined)
  const second = await repository.push({ 'merged/a.yaml': configMap(name, '2') })
  await fixture.hydrateTo(second, name)
  made.push(name)
  assert.equal((await repository.commits(hydrateTo))[1], await repository.head(branch))
})
