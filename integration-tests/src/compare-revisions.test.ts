import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'
import { compareRevisions, objectsOf, propose } from './review-fixture.ts'

const mesh = await meshOfFile()

/** Hydrates Applications of one repository, the directories of the first dry commit, to two branches in turn. */
async function hydrated(name: string, files: Record<string, string>): Promise<RepositoryFixture> {
  const { fixture } = mesh
  const repository = await fixture.createRepository(name, files)
  const directories = [...new Set(Object.keys(files).map((file) => file.split('/')[0] ?? ''))]
  const applications = directories.filter(
    (directory) => !directory.endsWith('.yaml') && directory !== 'charts',
  )
  await fixture.applyAndWait(
    await repository.dry.head(),
    ...applications.map((directory, index) => ({
      name: directory,
      repoURL: repository.url,
      branch: `environments/${name}-${index % 2}`,
    })),
  )
  return repository
}

const secret = (name: string, password: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\nstringData:\n  password: ${password}\n  user: admin\n`

test('one changed application of many is rendered alone, against what the branches hold and against a base', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `many-${String(index).padStart(2, '0')}`)
  const repository = await hydrated(
    'many',
    Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')])),
  )
  const branches = await repository.hydratedBranches()
  const heads = await Promise.all(branches.map((branch) => repository.head(branch)))
  const sha = await propose(repository, 'refs/heads/feature', { 'many-07/a.yaml': configMap('many-07', '2') })
  for (const base of ['', 'main']) {
    const { summary, applications } = await compareRevisions(mesh.fixture.gateway, {
      repoUrl: repository.url,
      revision: 'feature',
      base,
    })
    assert.equal(summary.revisionSha, sha)
    assert.equal(summary.baseSha, base === '' ? '' : await repository.head('main'))
    assert.deepEqual(
      [summary.applications, summary.changed, summary.unchanged, summary.rendered, summary.branches],
      [30, 1, 29, 1, 1],
    )
    assert.deepEqual([...applications.keys()], ['many-07'])
    const [object] = applications.get('many-07')?.objects ?? []
    assert.equal(object?.change, 'changed')
    assert.match(object.before, /value: "1"/)
    assert.match(object.after, /value: "2"/)
  }
  assert.deepEqual(await Promise.all(branches.map((branch) => repository.head(branch))), heads)
})

test('a pull request that is behind its base shows its own changes alone', async () => {
  const files = { 'own/a.yaml': configMap('own', '1'), 'other/a.yaml': configMap('other', '1') }
  const repository = await hydrated('behind', files)
  const start = await repository.head('main')
  await propose(repository, 'refs/pull/7/head', { 'own/a.yaml': configMap('own', '2') })
  const { fixture } = mesh
  await fixture.hydrateTo(await repository.push({ 'other/a.yaml': configMap('other', '2') }), 'other')
  const { summary, applications } = await compareRevisions(fixture.gateway, {
    repoUrl: repository.url,
    revision: 'refs/pull/7/head',
    base: 'main',
  })
  assert.equal(summary.baseSha, start)
  assert.deepEqual([...applications.keys()], ['own'])
})

test('moved and renamed objects are recognized, and values of Secrets show as hashes', async () => {
  const repository = await hydrated('moves', {
    'left/stays.yaml': configMap('stays', '1'),
    'left/moves.yaml': configMap('moves', '1'),
    'left/secret.yaml': secret('credentials', 'first-password'),
    'right/old.yaml': configMap('settings-aaaaaaaaaa', '1'),
  })
  await propose(repository, 'refs/heads/feature', {
    'left/moves.yaml': undefined,
    'left/secret.yaml': secret('credentials', 'second-password'),
    'left/stays.yaml': undefined,
    'left/renamed-file.yaml': configMap('stays', '1'),
    'right/moves.yaml': configMap('moves', '2'),
    'right/old.yaml': configMap('settings-bbbbbbbbbb', '2'),
  })
  const { summary, applications } = await compareRevisions(mesh.fixture.gateway, {
    repoUrl: repository.url,
    revision: 'feature',
  })
  const [left, right] = [applications.get('left'), applications.get('right')]
  assert.deepEqual(objectsOf(left), ['removed ConfigMap moves', 'changed Secret credentials'])
  assert.deepEqual(objectsOf(right), ['moved ConfigMap moves', 'renamed ConfigMap settings-bbbbbbbbbb'])
  assert.equal(left?.objects[0]?.movedTo?.name, 'right')
  const [moved, renamed] = right?.objects ?? []
  assert.equal(moved?.movedFrom?.name, 'left')
  assert.match(moved.before, /value: "1"/)
  assert.equal(renamed?.previous?.name, 'settings-aaaaaaaaaa')
  assert.deepEqual(
    [
      summary.objectsChanged,
      summary.objectsMoved,
      summary.objectsRenamed,
      summary.objectsRemoved,
      summary.objectsCreated,
    ],
    [1, 1, 1, 0, 0],
  )
  const { before: old = '', after: next = '' } = left.objects[1] ?? {}
  const hidden = (text: string, key: string): string | undefined =>
    new RegExp(`${key}: (<hidden [0-9a-f]{10}>)`).exec(text)?.[1]
  assert.ok(hidden(old, 'password') && hidden(next, 'password'))
  assert.notEqual(hidden(old, 'password'), hidden(next, 'password'))
  assert.equal(hidden(old, 'user'), hidden(next, 'user'))
  assert.doesNotMatch(JSON.stringify(left), /-password|admin/)
})

test('what the wadi.yaml of the target ignores is counted, and a change cannot ignore itself', async () => {
  const labelled = (chart: string, value: string): string =>
    configMap('labelled', value).replace(
      '  name: labelled',
      `  name: labelled\n  labels: {helm.sh/chart: ${chart}}`,
    )
  const repository = await hydrated('noise', {
    'labelled/a.yaml': labelled('web-1', '1'),
    'plain/a.yaml': configMap('plain', '1'),
    'wadi.yaml': 'diff:\n  ignore:\n    - labels: [helm.sh/chart]\n',
  })
  const gateway = mesh.fixture.gateway
  const request = { repoUrl: repository.url, revision: 'feature', base: 'main' }
  await propose(repository, 'refs/heads/feature', {
    'labelled/a.yaml': labelled('web-2', '1'),
    'plain/a.yaml': configMap('plain', '2'),
    'wadi.yaml': 'diff:\n  ignore:\n    - jsonPointers: [/data]\n',
  })
  const ignoring = await compareRevisions(gateway, request)
  assert.deepEqual(
    [
      ignoring.summary.objectsIgnored,
      ignoring.summary.changed,
      ignoring.summary.unchanged,
      ignoring.summary.messages,
    ],
    [1, 1, 1, []],
  )
  await repository.push({ 'wadi.yaml': 'diff:\n  ignore:\n    - path: ../../etc/passwd\n' })
  const invalid = await compareRevisions(gateway, request)
  assert.match(invalid.summary.messages.join(), /wadi\.yaml:3.*unknown field diff\.ignore\[0\]\.path/)
  assert.equal(invalid.summary.changed, 2)
})

test('a revision that breaks forty applications reports each of them, and those that still work', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `broken-${index}`)
  const files = Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')]))
  const repository = await hydrated('broken', { ...files, 'works/a.yaml': configMap('works', '1') })
  await propose(repository, 'refs/heads/feature', {
    ...Object.fromEntries(names.map((name) => [`${name}/a.yaml`, 'kind: [\n'])),
    'works/a.yaml': configMap('works', '2'),
  })
  for (const base of ['', 'main']) {
    const { summary, applications } = await compareRevisions(mesh.fixture.gateway, {
      repoUrl: repository.url,
      revision: 'feature',
      base,
    })
    assert.deepEqual([summary.failed, summary.errors, summary.changed], [40, 40, 1])
    for (const name of names) {
      const { outcome, errors, errorPlaces, failedBefore } = applications.get(name) ?? {}
      assert.deepEqual([outcome, failedBefore], ['failed', false])
      assert.deepEqual(
        errorPlaces?.map(({ file, line }) => [file, line]),
        [[`${name}/a.yaml`, 2]],
      )
      assert.match(errors?.join() ?? '', /a\.yaml/)
    }
  }
})

test('a revision, repository or application that does not exist is an error that names it', async () => {
  const repository = await hydrated('absent', { 'absent/a.yaml': configMap('absent', '1') })
  const { gateway } = mesh.fixture
  const repoUrl = repository.url
  const failing = (request: object, message: RegExp) =>
    assert.rejects(compareRevisions(gateway, { repoUrl, revision: 'main', ...request }), { message })
  await failing({ revision: 'nowhere' }, /not_found.*revision "nowhere" does not exist/)
  await failing({ base: 'nowhere' }, /not_found.*revision "nowhere" does not exist/)
  await failing({ target: 'nowhere' }, /not_found.*revision "nowhere" does not exist/)
  await failing({ revision: '--upload-pack=x' }, /is not a revision/)
  await failing({ revision: '' }, /invalid_argument.*revision is required/)
  await failing({ repoUrl: `${repoUrl}-else` }, /not_found.*no application that you may see/)
  await failing({ applications: [{ name: 'nobody' }] }, /not_found.*"nobody" not found/)
})

test('a forced push during a comparison does not mix two revisions', async () => {
  const repository = await hydrated('forced', { 'forced/a.yaml': configMap('forced', '1') })
  const first = await propose(repository, 'refs/heads/feature', { 'forced/a.yaml': configMap('forced', '2') })
  const second = await propose(repository, 'refs/heads/other', { 'forced/a.yaml': configMap('forced', '3') })
  let pushes = 0
  mesh.git.listen(async ({ path }) => {
    if (path.includes('forced') && pushes++ === 1) await repository.pointBranch('feature', second)
    return undefined
  })
  try {
    const { summary, applications } = await compareRevisions(mesh.fixture.gateway, {
      repoUrl: repository.url,
      revision: 'feature',
    })
    const value = summary.revisionSha === first ? '2' : '3'
    assert.ok([first, second].includes(summary.revisionSha))
    assert.match(applications.get('forced')?.objects[0]?.after ?? '', new RegExp(`value: "${value}"`))
  } finally {
    mesh.git.listen(undefined)
  }
})

test('ten thousand objects of one application are compared', async () => {
  const objects = (value: string): string =>
    Array.from({ length: 10_000 }, (_, index) =>
      configMap(`object-${index}`, index % 2 === 0 ? value : '0'),
    ).join('---\n')
  const repository = await hydrated('large', { 'large/a.yaml': objects('1') })
  await propose(repository, 'refs/heads/feature', { 'large/a.yaml': objects('2') })
  const { summary, applications } = await compareRevisions(mesh.fixture.gateway, {
    repoUrl: repository.url,
    revision: 'feature',
    base: 'main',
  })
  assert.equal(summary.objectsChanged, 5_000)
  assert.equal(applications.get('large')?.objects.length, 5_000)
})

test('an Application that a revision adds outside its project is a warning, and one within it is none', async () => {
  const repository = await hydrated('nested', { 'nested/a.yaml': configMap('nested', '1') })
  const { fixture } = mesh
  const destinations = [{ server: 'https://kubernetes.default.svc', namespace: 'narrow' }]
  await fixture.applyProject('narrow', { destinations })
  const child = (name: string, namespace: string): string =>
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: narrow
  destination: {server: https://kubernetes.default.svc, namespace: ${namespace}}
  sourceHydrator:
    drySource: {repoURL: ${JSON.stringify(repository.url)}, targetRevision: main, path: nested}
    syncSource: {targetBranch: environments/nested-x, path: ${name}}
`
  await propose(repository, 'refs/heads/feature', {
    'nested/inside.yaml': child('inside', 'narrow'),
    'nested/outside.yaml': child('outside', 'kube-system'),
    'nested/unreadable.yaml': child('unreadable', 'narrow').replace('path: unreadable', 'path: ../..'),
  })
  const { applications, summary } = await compareRevisions(fixture.gateway, {
    repoUrl: repository.url,
    revision: 'feature',
    base: 'main',
  })
  const warnings = applications.get('nested')?.warnings ?? []
  assert.equal(summary.warnings, 2)
  assert.match(
    warnings[0] ?? '',
    /^Application outside would be rejected: .*not permitted in project 'narrow'/,
  )
  assert.match(warnings[1] ?? '', /^Application unreadable would be rejected: .*\.\.\/\.\./)
})
