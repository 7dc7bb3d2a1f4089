import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GroupStatus } from '@wadi/hydration/hydrated-branch.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { ObservedGroup } from '../branch-run.ts'
import { groupsOf, isRequested, isSettled } from './groups.ts'
import { application, repoURL, type RunFixture, startRunFixture } from '../run-fixture.ts'

const spelled = 'https://GIT.example.com/team/apps'

async function onlyGroup(fixture: RunFixture): Promise<ObservedGroup> {
  const [group, ...others] = (await fixture.run()).run.groups
  assert.ok(group && others.length === 0)
  return group
}

test('members are grouped by dry repository, in any spelling, and by revision', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(
    application('a'),
    application('b', { drySource: { targetRevision: 'v2' } }),
    application('c', { drySource: { repoURL: spelled }, syncSource: { repoURL } }),
    application('d', {
      drySource: { repoURL: 'https://git.example.com/team/other' },
      syncSource: { repoURL },
    }),
  )
  const groups = groupsOf(fixture.members(), [])
  assert.deepEqual(
    groups.map(({ targetRevision, members }) => [targetRevision, members.map(({ name }) => name)]),
    [
      ['main', ['argocd/a', 'argocd/c']],
      ['v2', ['argocd/b']],
      ['main', ['argocd/d']],
    ],
  )
})

test("a group's digest follows its members and what decides their output, and nothing else", async () => {
  const digestWith = async (...parts: Parameters<typeof application>[]): Promise<string> => {
    await using fixture = await startRunFixture()
    await fixture.add(...parts.map((part) => application(...part)))
    return (await onlyGroup(fixture)).digest
  }
  const digest = await digestWith(['a', {}])
  assert.equal(await digestWith(['a', { annotations: { 'example.com/note': 'x' } }]), digest)
  assert.equal(await digestWith(['a', { annotations: { 'argocd.argoproj.io/hydrate': 'hard' } }]), digest)
  const others = await Promise.all([
    digestWith(['a', {}], ['b', {}]),
    digestWith(['b', {}]),
    digestWith(['a', { drySource: { helm: { releaseName: 'x' } } }]),
    digestWith(['a', { syncSource: { path: 'elsewhere' } }]),
    digestWith(['a', { destination: { name: 'in-cluster', namespace: 'x' } }]),
    digestWith(['a', { annotations: { 'wadi.dev/prune': 'true' } }]),
  ])
  assert.equal(new Set([digest, ...others]).size, 7)
})

test("the record's entry of a group is found in any spelling of the repository and for its revision alone", async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const status = (url: string, targetRevision: string): GroupStatus => ({
    repoURL: url,
    targetRevision,
    phase: 'Hydrated',
    message: '',
    failures: [],
    startedAt: '',
  })
  const wanted = status(spelled, 'main')
  const others = [status(repoURL, 'v2'), status('https://x.example/y', 'main')]
  const found = (statuses: GroupStatus[]) => groupsOf(fixture.members(), statuses).map(({ before }) => before)
  assert.deepEqual(found([...others, wanted]), [wanted])
  assert.deepEqual(found(others), [undefined])
})

test('a group is settled only when dry commit, members, settings and marks are those of its last success', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const fresh = await onlyGroup(fixture)
  const drySha = '1'.repeat(40)
  const success = { drySha, hydratedSha: 'h', members: fresh.digest, settings: 's', finishedAt: '' }
  const before: GroupStatus = {
    repoURL,
    targetRevision: 'main',
    phase: 'Hydrated',
    message: '',
    failures: [],
    startedAt: '',
    success,
  }
  const members = fresh.members.map((member) => ({ ...member, markedSpec: member.currentSpec }))
  const settled: ObservedGroup = { ...fresh, members, drySha, before }
  assert.equal(isSettled(settled, 's'), true)
  assert.equal(isSettled(settled, 'other settings'), false)
  const unsettled: Partial<ObservedGroup>[] = [
    { unresolved: { message: 'no access', failures: [] } },
    { drySha: '2'.repeat(40) },
    { digest: 'other members' },
    { before: undefined },
    { before: { ...before, phase: 'Failed' } },
    { before: { ...before, phase: 'Hydrating' } },
    { members: fresh.members },
  ]
  for (const change of unsettled) assert.equal(isSettled({ ...settled, ...change }, 's'), false)
  const requested = { ...settled, members: members.map((member) => ({ ...member, request: 'normal' })) }
  assert.deepEqual(
    [isSettled(requested, 's'), isRequested(requested), isRequested(settled)],
    [true, true, false],
  )
})

test('members share a project only when all have it', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a', { project: 'team' }), application('b', { project: 'team' }))
  assert.equal(factsOf(fixture.members()).commonProject, 'team')
  await fixture.add(application('c'))
  assert.equal(factsOf(fixture.members()).commonProject, '')
  assert.equal(factsOf([]).commonProject, '')
})
