import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { beginOutcome } from '../begin-outcome.ts'
import { application, controlPlaneObject, repoURL, type RunFixture, startRunFixture } from '../run-fixture.ts'
import type { RunOutcome, ValidatedInProgress } from '../run-outcome.ts'
import { validate } from './validate.ts'

/** The message of each invalid Application. */
function errors({ outcome }: { outcome: RunOutcome }): Record<string, string> {
  return Object.fromEntries(
    [...outcome.failures.values()].flatMap(({ failures }) =>
      failures.map(({ application: name, message }) => [name, message]),
    ),
  )
}

async function validated(
  fixture: RunFixture,
  branch = 'env/dev',
  target = repoURL,
): Promise<ValidatedInProgress> {
  const { run, outcome } = await fixture.run({ branch, key: branchKey(target, branch) })
  return { run: await validate(fixture.context, { run, outcome }), outcome }
}

const project = (name: string, spec: Record<string, unknown>) =>
  controlPlaneObject('AppProject', name, {
    apiVersion: 'argoproj.io/v1alpha1',
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], ...spec },
  })

test('members with directories of their own pass, each with its clean path', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a', { syncSource: { path: './x//a/' } }), application('b'))
  const { run, outcome } = await validated(fixture)
  assert.deepEqual(errors({ outcome }), {})
  assert.deepEqual(
    [...run.directories.values()].flat().map(({ path }) => path),
    ['x/a', 'b'],
  )
  assert.deepEqual([...run.claimed], ['x/a', 'b'])
})

test('the rights of the project on both repositories, the destination and the namespace are checked', async () => {
  await using fixture = await startRunFixture()
  const other = 'https://git.example.com/other/hydrated'
  await fixture.add(
    project('dry', { sourceRepos: [other] }),
    project('hydrated', { sourceRepos: [repoURL] }),
    project('destination', { destinations: [{ server: '*', namespace: 'db' }] }),
    project('namespace', {}),
    application('dry', { project: 'dry' }),
    application('destination', { project: 'destination' }),
    application('namespace', { project: 'namespace', namespace: 'team' }),
    application('absent', { project: 'absent' }),
    application('fine'),
  )
  assert.deepEqual(errors(await validated(fixture)), {
    'argocd/dry': `application repo ${repoURL} is not permitted in project 'dry'`,
    'argocd/destination':
      "destination https://kubernetes.default.svc namespace web is not permitted in project 'destination'",
    'team/namespace': "application namespace team is not permitted in project 'namespace'",
    'argocd/absent': 'application references project absent which does not exist',
  })
  await fixture.add(
    application('elsewhere', {
      project: 'hydrated',
      drySource: { repoURL },
      syncSource: { repoURL: other, targetBranch: 'env/x' },
    }),
  )
  const { run, outcome } = await fixture.run({ branch: 'env/x', key: branchKey(other, 'env/x') })
  await validate(fixture.context, { run, outcome })
  assert.deepEqual(errors({ outcome }), {
    'argocd/elsewhere': `destination repo ${other} is not permitted in project 'hydrated'`,
  })
})

test('a changed project applies from the next run on', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(project('team', {}), application('a', { project: 'team' }))
  assert.deepEqual(errors(await validated(fixture)), {})
  const stored = await fixture.store.get('AppProject', 'argocd', 'team')
  assert.ok(stored)
  await fixture.store.update({ ...stored, spec: { ...stored.spec, sourceRepos: [] } })
  assert.deepEqual(Object.keys(errors(await validated(fixture))), ['argocd/a'])
})

test('what an invalid member has on the branch stays claimed, so that it is never pruned', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(
    application('a'),
    application('b', { project: 'absent', drySource: { targetRevision: 'v2' } }),
  )
  const { run, outcome } = await validated(fixture)
  assert.deepEqual(Object.keys(errors({ outcome })), ['argocd/b'])
  assert.deepEqual([...run.claimed].toSorted(), ['a', 'b'])
})

test('a member whose project forbids it does not take a path from one that is permitted', async () => {
  await using fixture = await startRunFixture()
  const syncSource = { path: 'shared' }
  await fixture.add(application('a', { syncSource }), application('b', { syncSource, project: 'absent' }))
  assert.deepEqual(Object.keys(errors(await validated(fixture))), ['argocd/b'])
})

test('members that claim one path with other sources each get the names of the others', async () => {
  await using fixture = await startRunFixture()
  const paths = ['shared', './shared/', 'x/../shared', 'shared//', 'shared/.']
  await fixture.add(
    ...paths.map((path, index) => application(`app-${index}`, { syncSource: { path } })),
    application('fine'),
  )
  const messages = errors(await validated(fixture))
  assert.deepEqual(
    Object.keys(messages),
    paths.map((_, index) => `argocd/app-${index}`),
  )
  assert.equal(
    messages['argocd/app-0'],
    'path shared of branch env/dev is also claimed by application argocd/app-1, application argocd/app-2, ' +
      'application argocd/app-3 and 1 more with another dry source; give each a path of its own',
  )
})

test('members that claim one path and differ in their destination namespace alone have an error that says so', async () => {
  await using fixture = await startRunFixture()
  const syncSource = { path: 'shared' }
  const same = { syncSource, drySource: { path: 'apps/a' } }
  await fixture.add(
    application('a', same),
    application('b', {
      ...same,
      destination: { server: 'https://kubernetes.default.svc', namespace: 'other' },
    }),
  )
  assert.equal(
    errors(await validated(fixture))['argocd/b'],
    'path shared of branch env/dev is also claimed by application argocd/a with another destination namespace; give each a path of its own',
  )
})

test('members of different dry revisions that claim one path fail both groups', async () => {
  await using fixture = await startRunFixture()
  const syncSource = { path: 'shared' }
  await fixture.add(
    application('a', { syncSource }),
    application('b', { syncSource, drySource: { path: 'apps/a', targetRevision: 'v2' } }),
  )
  const { run, outcome } = await validated(fixture)
  assert.equal(run.groups.length, 2)
  assert.deepEqual(
    run.groups.map((group) => outcome.failures.get(group)?.failures.length),
    [1, 1],
  )
})

test('members with equal dry sources share a directory, whatever the order of their keys', async () => {
  await using fixture = await startRunFixture()
  const syncSource = { path: 'shared' }
  await fixture.add(
    application('a', {
      syncSource,
      drySource: { path: 'apps/x', helm: { releaseName: 'r', skipCrds: true } },
    }),
    application('b', {
      syncSource,
      drySource: { helm: { skipCrds: true, releaseName: 'r' }, path: 'apps/x' },
    }),
  )
  const { run, outcome } = await validated(fixture)
  assert.deepEqual(errors({ outcome }), {})
  assert.deepEqual(
    [...run.directories.values()].flat().map(({ path, members }) => [path, members.map(({ name }) => name)]),
    [['shared', ['argocd/a', 'argocd/b']]],
  )
})

test('equal dry sources for different destination namespaces do not share a directory', async () => {
  await using fixture = await startRunFixture()
  const parts = { syncSource: { path: 'shared' }, drySource: { path: 'apps/x' } }
  await fixture.add(
    application('a', parts),
    application('b', { ...parts, destination: { name: 'in-cluster', namespace: 'other' } }),
  )
  assert.deepEqual(Object.keys(errors(await validated(fixture))), ['argocd/a', 'argocd/b'])
})

test('the root of a branch, in every spelling, is refused beside others and allowed alone', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('root'), application('z'))
  for (const path of ['', '.', './', '/', 'a/..', './a/../']) {
    for (const alone of [true, false]) {
      const { run } = await fixture.run()
      const [group] = run.groups
      const [root, other] = group?.members ?? []
      assert.ok(group && root && other)
      const atRoot = { ...root, spec: { ...root.spec, syncSource: { targetBranch: 'env/dev', path } } }
      const members = alone ? [atRoot] : [atRoot, other]
      const changed = { ...run, groups: [{ ...group, members }] }
      const outcome = beginOutcome(changed)
      const { claimed } = await validate(fixture.context, { run: changed, outcome })
      const message = errors({ outcome })['argocd/root'] ?? ''
      if (alone) assert.equal(message, '')
      else assert.match(message, /is the root of branch env\/dev, which also holds application argocd\/z;/)
      assert.equal(claimed.has(''), true, path)
    }
  }
})

test('a branch must match the pattern of the operator', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(
    controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'sourceHydrator.branchPattern': 'env/*' } }),
    application('a'),
    application('b', { hydrateTo: { targetBranch: 'release' } }),
  )
  assert.deepEqual(errors(await validated(fixture)), {})
  assert.match(
    errors(await validated(fixture, 'release'))['argocd/b'] ?? '',
    /^hydrated branch release does not match env\/\*, the pattern that the operator set/,
  )
})

test('a branch that is the dry source itself is refused, in every spelling of repository and branch', async () => {
  const spellings = [
    {},
    { repoURL },
    { repoURL: repoURL.replace(/\.git$/, '') },
    { repoURL: 'https://GIT.example.com/team/apps.git' },
    { repoURL: 'git@git.example.com:team/apps.git' },
    { repoURL: 'https://robot@git.example.com:443/team/apps' },
  ]
  for (const targetRevision of ['main', 'refs/heads/main']) {
    for (const syncSource of spellings) {
      await using fixture = await startRunFixture()
      const target = { ...syncSource, targetBranch: 'main' }
      await fixture.add(application('a', { drySource: { targetRevision }, syncSource: target }))
      assert.deepEqual(errors(await validated(fixture, 'main', syncSource.repoURL)), {
        'argocd/a':
          'spec.sourceHydrator.syncSource.targetBranch: branch main is the dry source itself; hydrate to another branch',
      })
    }
  }
})

test('for members that stayed the same, a right that was withdrawn, a new pattern and another head are noticed', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(project('team', {}), application('a', { project: 'team' }))
  const errorsNow = async (headSha = ''): Promise<Record<string, string>> => {
    const { run, outcome } = await fixture.run({ observed: { drySha: 'd'.repeat(40) } })
    outcome.position.headSha = headSha
    const valid = await validate(fixture.context, { run, outcome })
    assert.equal(
      [...valid.directories.values()].flat().length,
      Object.keys(errors({ outcome })).length ? 0 : 1,
    )
    return errors({ outcome })
  }
  const members = fixture.members()
  assert.deepEqual(await errorsNow(), {})
  assert.deepEqual(await errorsNow(), {})
  assert.match((await errorsNow('d'.repeat(40)))['argocd/a'] ?? '', /is the dry source itself/)
  await mutate(fixture.store, 'AppProject', 'argocd', 'team', (current) => ({
    ...current,
    spec: { ...current.spec, sourceRepos: ['https://git.example.com/other'] },
  }))
  assert.match((await errorsNow())['argocd/a'] ?? '', /is not permitted in project 'team'/)
  await fixture.store.delete('AppProject', 'argocd', 'team')
  assert.match((await errorsNow())['argocd/a'] ?? '', /team which does not exist/)
  await fixture.store.create(project('team', { destinations: [{ name: 'in-cluster', namespace: '*' }] }))
  assert.deepEqual(await errorsNow(), {})
  const renamed = { server: 'https://kubernetes.default.svc', name: 'renamed' }
  await fixture.store.create(
    controlPlaneObject('Secret', 'cluster', {
      metadata: {
        name: 'cluster',
        namespace: 'argocd',
        labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
      },
      stringData: renamed,
    }),
  )
  assert.match((await errorsNow())['argocd/a'] ?? '', /destination .* is not permitted/)
  await fixture.store.delete('Secret', 'argocd', 'cluster')
  await fixture.store.create(
    controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'sourceHydrator.branchPattern': 'release/*' } }),
  )
  assert.match((await errorsNow())['argocd/a'] ?? '', /does not match release/)
  assert.equal(fixture.members(), members)
})
