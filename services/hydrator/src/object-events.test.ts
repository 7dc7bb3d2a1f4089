import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { ForeignChange } from '@wadi/hydration/hydrated-branch.ts'
import type { ObjectEvent } from '@wadi/kubernetes/events/event-recorder.ts'
import { BranchPositionSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { FindingSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { withObjectEvents } from './object-events.ts'
import { application, startRunFixture } from './run/run-fixture.ts'

const drySha = '1'.repeat(40)
const hydratedSha = 'a'.repeat(40)

async function startFixture(...names: string[]) {
  const fixture = await startRunFixture()
  await fixture.add(...names.map((name) => application(name)))
  const recorded: ObjectEvent[] = []
  const events = withObjectEvents(fixture.context.events, { record: (event) => void recorded.push(event) })
  const { run, outcome } = await fixture.run({ observed: { drySha } })
  const [group] = run.groups
  assert.ok(group)
  const lines = () =>
    recorded.map(({ regarding, type, reason, note }) => {
      const about = regarding.name === run.key ? regarding.kind : `${regarding.kind} ${regarding.name}`
      return `${type} ${reason} ${about}: ${note}`
    })
  return { fixture, events, run, outcome, group, lines }
}

test('a new commit is an Event of the branch and of the Applications whose directories it changes', async () => {
  const { fixture, events, run, group, lines } = await startFixture('a', 'b')
  await using _ = fixture
  events.committed(run, group, { hydratedSha, changedPaths: ['b'] })
  events.committed(run, group, { hydratedSha, changedPaths: [] })
  const note = 'dry commit 1111111 of https://git.example.com/team/apps.git is hydrated in commit aaaaaaa'
  assert.deepEqual(lines(), [
    `Normal Hydrated HydratedBranch: ${note}, which changes 1 directory`,
    `Normal Hydrated Application b: ${note}`,
  ])
})

test('a note that promoters could not read is an Event of the branch once it is written again', async () => {
  const { fixture, events, run, lines } = await startFixture('a')
  await using _ = fixture
  events.noteReplaced(run, hydratedSha, 'has 2 notes in the place of one')
  assert.deepEqual(lines(), [
    'Warning NoteReplaced HydratedBranch: commit aaaaaaa of branch env/dev has 2 notes in the place of one, which promoters cannot read; Wadi wrote it again',
  ])
})

test('a commit of many Applications is an Event of the branch and of the first ten', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `app-${index}`)
  const { fixture, events, run, group, lines } = await startFixture(...names)
  await using _ = fixture
  events.committed(run, group, { hydratedSha, changedPaths: names })
  assert.equal(lines().length, 11)
})

test('a failure is an Event of the branch and of the Applications that failed', async () => {
  const { fixture, events, run, outcome, group, lines } = await startFixture('a', 'b')
  await using _ = fixture
  const failures = [{ application: 'argocd/b', message: 'no chart' }]
  outcome.failures.set(group, { message: '', failures })
  events.finished({ run, outcome }, 1)
  outcome.failures.set(group, { message: 'no access', failures: [] })
  events.finished({ run, outcome }, 1)
  assert.deepEqual(lines(), [
    'Warning HydrationFailed HydratedBranch: argocd/b: no chart',
    'Warning HydrationFailed Application b: no chart',
    'Warning HydrationFailed HydratedBranch: no access',
    'Warning HydrationFailed Application a: no access',
    'Warning HydrationFailed Application b: no access',
  ])
})

test('a warning of gates is an Event of the Applications of its directory', async () => {
  const { fixture, events, run, group, lines } = await startFixture('a', 'b')
  await using _ = fixture
  const object = { kind: 'Secret', namespace: 'shop', name: 'web' }
  const finding = (rule: string, severity: string) =>
    create(FindingSchema, { rule, severity, object, field: 'data.token', message: 'is a plain value' })
  const members = group.members.filter(({ path }) => path === 'b')
  events.found(run, members, [finding('secrets/plain-secret', 'deny'), finding('secrets/aws', 'audit')])
  events.found(run, members, [finding('secrets/aws', 'warn'), finding('secrets/plain-secret', 'warn')])
  assert.deepEqual(lines(), [
    'Warning GateWarning Application b: gates warn: secrets/aws Secret/shop/web data.token: is a plain value and 1 more',
  ])
})

test('an Application that cannot be read is said at the Application', async () => {
  const { fixture, events, lines } = await startFixture('a')
  await using _ = fixture
  events.invalidApplication('team/web', 'spec.source and spec.sourceHydrator')
  assert.deepEqual(lines(), [
    'Warning InvalidApplication Application web: the Application cannot be read and is not hydrated: spec.source and spec.sourceHydrator',
  ])
})

test('what is left to Argo CD, blocked or changed by others is said with its own reason', async () => {
  const { fixture, events, run, outcome, group, lines } = await startFixture('a')
  await using _ = fixture
  outcome.failures.set(group, { message: 'Argo CD hydrates', failures: [] })
  events.finished({ run: { ...run, settings: { ...run.settings, isLeftToArgoCd: true } }, outcome }, 1)
  const change: ForeignChange = {
    kind: 'deleted',
    knownHead: hydratedSha,
    headSha: '',
    paths: [],
    commit: '',
    author: '',
    detectedAt: '2024-03-27T10:32:04Z',
    policy: 'block',
  }
  events.foreignChange(run, change)
  events.restored(run, change, 'b'.repeat(40))
  outcome.failures.set(group, { message: 'blocked', failures: [] })
  outcome.foreign = change
  outcome.position = create(BranchPositionSchema)
  events.finished({ run: { ...run, settings: { ...run.settings, foreignChanges: 'block' } }, outcome }, 1)
  assert.deepEqual(lines(), [
    'Warning LeftToArgoCD HydratedBranch: Argo CD hydrates',
    'Warning ForeignChange HydratedBranch: branch env/dev was deleted; Wadi had left it at aaaaaaa',
    'Warning ForeignChangeUndone HydratedBranch: branch env/dev was deleted; Wadi had left it at aaaaaaa; commit bbbbbbb undoes that',
    'Warning BranchBlocked HydratedBranch: blocked',
    'Warning BranchBlocked Application a: blocked',
  ])
})
