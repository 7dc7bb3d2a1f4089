import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { connectForge, type ForgedRepository } from './pull-request-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'
import { propose } from './review-fixture.ts'

const mesh = await meshOfFile()
await mesh.fixture.applyOperatorSettings({
  url: 'https://wadi.example.com',
  'sourceHydrator.reviews': '*/counted.git',
})
await mesh.fixture.applyProject('shown', {}, { 'wadi.dev/reviews': 'diffs' })

interface Reviewed extends AsyncDisposable, ForgedRepository {
  repository: RepositoryFixture
}

/** Hydrates Applications of one repository, the directories of the first dry commit, and connects it to a forge. */
async function reviewed(
  name: string,
  files: Record<string, string>,
  { project = 'shown', kind }: { project?: string; kind?: Parameters<typeof connectForge>[2] } = {},
): Promise<Reviewed> {
  const { fixture } = mesh
  const repository = await fixture.createRepository(`acme/${name}`, files)
  const directories = [...new Set(Object.keys(files).map((file) => file.split('/')[0] ?? ''))]
  const branch = `environments/${name}`
  await fixture.applyAndWait(
    await repository.dry.head(),
    ...directories.map((directory) => ({ name: directory, repoURL: repository.url, branch, project })),
  )
  return { repository, ...(await connectForge(mesh, repository, kind)) }
}

/** Returns true if the newest status of a commit is a result, and not that a comparison is under way. */
function isJudged({ newest }: ForgedRepository, sha: string): boolean {
  const state = newest(sha)?.state
  return state !== undefined && state !== 'pending' && state !== 'INPROGRESS'
}

test('a pull request gets a status and a comment, and a push to it updates both in place', async () => {
  await using shop = await reviewed('shop', { 'shop/a.yaml': configMap('shop', '1') })
  const { repository, forge, open, announce, states, newest, comments } = shop
  const first = await propose(repository, 'refs/heads/change', { 'shop/a.yaml': configMap('shop', '2') })
  const pull = open({ head: 'change' })
  assert.equal(await (await announce(pull)).text(), 'queued 1 hydrated branch and 0 ApplicationSets\n')
  await until(() => isJudged(shop, first))
  assert.deepEqual(states(first), ['pending', 'success'])
  assert.equal(newest(first)?.description, '1 of 1 application changes on 1 branch; objects: 1 changed')
  assert.match(
    newest(first)?.target_url ?? '',
    new RegExp(`^https://wadi\\.example\\.com/impact\\?.*revision=${first}$`),
  )
  const [comment = ''] = comments(pull)
  assert.match(
    comment,
    /<details><summary><code>environments\/shop argocd\/shop: changed ConfigMap shop<\/code>/,
  )
  assert.match(comment, /^- {2}value: "1"\n\+ {2}value: "2"$/m)
  assert.match(comment, new RegExp(`compared with \`pull request 1 \\(${first.slice(0, 7)}\\)\``))

  const second = await propose(repository, 'refs/heads/change', { 'shop/a.yaml': 'kind: [\n' })
  await announce(pull)
  await until(() => isJudged(shop, second))
  assert.equal(newest(second)?.state, 'failure')
  assert.equal(newest(second)?.description, '1 of 1 application cannot be hydrated any more')
  assert.equal(comments(pull).length, 1)
  assert.match(comments(pull)[0] ?? '', /\*\*Error\*\* `argocd\/shop`: `shop\/a\.yaml:2/)
  assert.match(JSON.stringify(forge.state.checkRuns), /"path":"shop\/a\.yaml","start_line":2/)

  const written = () => forge.log.filter((line) => !line.startsWith('GET')).length
  const writtenBefore = written()
  const looks = () =>
    forge.log.filter((line) => line.startsWith('GET /repos') && line.includes('/pulls?')).length
  const seen = looks()
  await announce(pull)
  await until(() => looks() > seen)
  const third = await propose(repository, 'refs/heads/change', {})
  await announce(pull)
  await until(() => isJudged(shop, third))
  assert.equal(newest(third)?.description, 'no change of 1 application')
  assert.equal(written() - writtenBefore, 3)
  assert.deepEqual(forge.violations, [])
})

for (const [kind, expected] of [
  ['gitlab', ['pending', 'success']],
  ['gitea', ['pending', 'success']],
  // Bitbucket replaces the status of a key.
  ['bitbucket-server', ['SUCCESSFUL']],
  ['azure-devops', ['pending', 'succeeded']],
] as const) {
  test(`a pull request of ${kind} gets a status and a comment as well`, async () => {
    await using shop = await reviewed(kind, { [`${kind}/a.yaml`]: configMap(kind, '1') }, { kind })
    const { repository, forge, open, announce, states, comments } = shop
    const head = await propose(repository, 'refs/heads/change', { [`${kind}/a.yaml`]: configMap(kind, '2') })
    const pull = open({ head: 'change' })
    await announce(pull)
    await until(() => isJudged(shop, head))
    assert.deepEqual(states(head), expected)
    assert.equal(comments(pull).length, 1)
    assert.match(comments(pull)[0] ?? '', /changed ConfigMap/)
    assert.deepEqual(forge.violations, [])
  })
}

test('where no project asks for more, only counts are shown', async () => {
  await using counted = await reviewed(
    'counted',
    { 'counted/a.yaml': configMap('secretive', '1') },
    { project: 'default' },
  )
  const { repository, open, announce, newest, comments } = counted
  const head = await propose(repository, 'refs/heads/change', { 'counted/a.yaml': 'kind: [\n' })
  const pull = open({ head: 'change' })
  await announce(pull)
  await until(() => isJudged(counted, head))
  assert.equal(newest(head)?.state, 'failure')
  const [comment = ''] = comments(pull)
  assert.match(comment, /- Applications: 1 failed\n/)
  assert.doesNotMatch(comment.replace(/\(https:[^)]*\)/, ''), /counted\/|secretive|a\.yaml/)
})

test('a pull request of a fork is rendered without actions, and says so', async () => {
  const zarf = `kind: ZarfPackageConfig
metadata: {name: packed}
x-wadi: {actions: sandbox}
values: {files: [v.yaml]}
components:
  - name: web
    required: true
    actions:
      onDeploy:
        before: [{cmd: echo made, setValues: [{key: .name, type: string}]}]
    manifests: [{name: m, template: true, files: [m.yaml]}]
`
  await using forked = await reviewed('forked', {
    'forked/a.yaml': configMap('forked', '1'),
    'packed/a.yaml': configMap('packed', '1'),
  })
  const { repository, open, announce, newest, comments } = forked
  const files = {
    'forked/a.yaml': configMap('forked', '2'),
    'packed/a.yaml': undefined,
    'packed/m.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.name }}"}\n',
    'packed/v.yaml': '{}\n',
    'packed/zarf.yaml': zarf,
    'wadi.yaml': 'actions: allow\n',
  }
  const sha = await propose(repository, 'refs/pull/1/head', files)
  const pull = open({ head: 'main', fork: { repository: 'outsider/forked', sha } })
  await announce(pull)
  await until(() => isJudged(forked, sha))
  assert.equal(newest(sha)?.state, 'failure')
  const [comment = ''] = comments(pull)
  assert.match(comment, /- The pull request is from a fork, so no plugin, action or ytt was run/)
  assert.match(comment, /argocd\/forked: changed ConfigMap forked/)
  assert.match(comment, /\*\*Error\*\* `argocd\/packed`/)
})

test('the head of a fork that Bitbucket does not hand out is fetched from the fork, and its status is in the comment', async () => {
  await using forked = await reviewed(
    'cloud',
    { 'cloud/a.yaml': configMap('cloud', '1') },
    { kind: 'bitbucket' },
  )
  const { repository, forge, open, announce, comments } = forked
  const fork = await mesh.fixture.createRepository('eve/cloud', {})
  await runTestGit(fork.directory, ['fetch', repository.directory, '+refs/heads/main:refs/heads/change'])
  const proposeValue = (value: string) =>
    fork.pushForeign('change', { 'cloud/a.yaml': configMap('cloud', value) })
  const first = await proposeValue('2')
  const pull = open({ head: 'change', fork: { repository: 'eve/cloud', sha: first } })
  await announce(pull)
  await until(() => comments(pull)[0]?.includes('wadi/diff: success') === true)
  const [comment = ''] = comments(pull)
  assert.match(
    comment,
    /\*\*wadi\/diff: success\*\* `1 of 1 application changes on 1 branch; objects: 1 changed`/,
  )
  assert.match(comment, /^- {2}value: "1"\n\+ {2}value: "2"$/m)
  assert.match(comment, /- The pull request is from a fork/)
  pull.fork = { repository: 'eve/cloud', sha: await proposeValue('3') }
  await announce(pull)
  await until(() => comments(pull)[0]?.includes('+  value: "3"') === true)
  assert.deepEqual([comments(pull).length, forge.state.statuses, forge.violations], [1, [], []])
  assert.equal((await repository.files('main')).length, 1)
})

test('a head that is replaced while it is compared, and a pull request that is closed meanwhile, get no comment', async () => {
  await using raced = await reviewed('raced', { 'raced/a.yaml': configMap('raced', '1') })
  const { repository, forge, open, announce, states, comments } = raced
  const first = await propose(repository, 'refs/heads/change', { 'raced/a.yaml': configMap('raced', '2') })
  const second = await propose(repository, 'refs/heads/next', { 'raced/a.yaml': configMap('raced', '3') })
  const pull = open({ head: 'change' })
  const { statuses } = forge.state
  // The forge is asked again after the pending status alone.
  const afterPending = (sha: string, change: () => void): void => {
    statuses.unshift = (...added) => {
      if (added[0]?.sha === sha && added[0].state === 'pending') change()
      return Array.prototype.unshift.apply(statuses, added)
    }
  }
  const point = () =>
    execFileSync('git', ['update-ref', 'refs/heads/change', second], { cwd: repository.directory })
  afterPending(first, point)
  await announce(pull)
  await until(
    () => forge.log.filter((line) => line.startsWith('GET') && line.includes('/pulls/1 ')).length === 2,
  )
  afterPending(second, () => {
    pull.state = 'closed'
  })
  await announce(pull)
  await until(
    () => forge.log.filter((line) => line.startsWith('GET') && line.includes('/pulls/1 ')).length === 4,
  )
  assert.deepEqual([states(first), states(second), comments(pull)], [['pending'], ['pending'], []])
})

test('a head that cannot be fetched is an error in the status', async () => {
  await using absent = await reviewed('unfetched', { 'unfetched/a.yaml': configMap('unfetched', '1') })
  const { open, announce, newest, comments } = absent
  const sha = 'ab'.repeat(20)
  const pull = open({ head: 'main', fork: { repository: 'outsider/unfetched', sha } })
  await announce(pull)
  await until(() => isJudged(absent, sha))
  assert.equal(newest(sha)?.state, 'error')
  assert.match(newest(sha)?.description ?? '', /^the head cannot be compared: revision "abab/)
  assert.deepEqual(comments(pull), [])
})

test('forty broken applications and ten thousand changed files fit into one comment', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `forty-${index}`)
  const files = Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')]))
  await using forty = await reviewed('forty', files)
  const { repository, forge, open, announce, newest, comments } = forty
  const many = Array.from({ length: 10_000 }, (_, index) => [`docs/${index}.txt`, `${index}\n`])
  const head = await propose(repository, 'refs/heads/change', {
    ...Object.fromEntries(many),
    ...Object.fromEntries(names.map((name) => [`${name}/a.yaml`, `kind: [\n# ${'x'.repeat(3_000)}\n`])),
  })
  const pull = open({ head: 'change' })
  await announce(pull)
  await until(() => isJudged(forty, head))
  assert.equal(newest(head)?.description, '40 of 40 applications cannot be hydrated any more')
  const [comment = ''] = comments(pull)
  assert.ok(comment.length <= 65_536)
  assert.equal(comment.match(/\*\*Error\*\* `argocd\/forty-\d+`/g)?.length, 40)
  assert.equal(JSON.stringify(forge.state.checkRuns).match(/"path":"forty-\d+\/a\.yaml"/g)?.length, 40)
  assert.deepEqual(forge.violations, [])
})

for (const [title, rejection] of [
  ['is asked too much', { status: 429, headers: { 'retry-after': '7' } }],
  ['forbids it', { status: 403 }],
  ['answers garbage', { status: 200, body: '<html>' }],
] as const) {
  const name = title.replaceAll(' ', '-')
  test(`a hydration lands while a forge ${title}, and the review comes when it answers again`, async () => {
    await using away = await reviewed(name, { [`${name}/a.yaml`]: configMap(name, '1') })
    const { repository, forge, open, announce } = away
    const head = await propose(repository, 'refs/heads/change', { [`${name}/a.yaml`]: configMap(name, '2') })
    const pull = open({ head: 'change' })
    forge.rejections.push(rejection)
    await announce(pull)
    await until(() => forge.rejections.length === 0)
    await mesh.fixture.hydrateTo(await repository.push({ 'other.txt': '1' }), name)
    await announce(pull)
    await until(() => isJudged(away, head))
    assert.equal(away.comments(pull).length, 1)
  })
}
