import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const wrong =
  '{{ if eq (toString .Values.replicas) "many" }}{{ fail "replicas must be a number" }}{{ end }}\n'
const secret = `apiVersion: v1
kind: Secret
metadata: {name: login}
stringData:
  password: "hunter{{ .Values.replicas }}"
`
const name = 'web'
const change = (target: string, value: string) => ({ assignments: [{ target, value }] })

const mesh = await meshOfFile()
const changing = await mesh.fixture.createRepository('changing', {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'replicas: 1\n',
  'web/templates/config.yaml': configMap('web', '{{ .Values.replicas }}'),
  'web/templates/same.yaml': configMap('same', 'x'),
  'web/templates/secret.yaml': secret,
  'web/templates/wrong.yaml': wrong,
  'web/templates/more.yaml': `{{ if gt (int .Values.replicas) 2 }}\n${configMap('more', 'x')}{{ end }}`,
})
const first = await changing.dry.head()
await mesh.fixture.applyAndWait(first, { name, repoURL: changing.url, branch: 'environments/changing' })

/** Returns the changes, as `change Kind name`. */
function changesOf(objects: readonly Pick<ObjectChange, 'change' | 'identity'>[]): string[] {
  return objects.map(({ change: kind, identity }) => `${kind} ${identity?.kind} ${identity?.name}`)
}

test('a preview shows the file and the objects that would differ, with the values of Secrets masked', async () => {
  const { applications } = mesh.fixture.gateway
  const answer = await applications.previewParameters({ name, changes: change('replicas', '3') })
  assert.deepEqual([answer.error, answer.errorBefore, answer.drySha], ['', '', first])
  assert.match(answer.file?.after ?? '', /replicas/)
  assert.deepEqual(changesOf(answer.objects), [
    'created ConfigMap more',
    'changed ConfigMap web',
    'changed Secret login',
  ])
  const [, web, login] = answer.objects
  assert.match(web?.before ?? '', /: "?1"?\n/)
  assert.match(web?.after ?? '', /: "?3"?\n/)
  const text = `${login?.before}${login?.after}`
  assert.ok(text.includes('login') && !/hunter|aHVudGVy/.test(text), text)
  assert.notEqual(login?.before, login?.after)
  const { drySha } = await applications.setParameters({
    name,
    changes: change('replicas', '3'),
    dryRun: true,
  })
  assert.equal(drySha, '', 'nothing was committed')
})

test('a preview without changes is refused', async () => {
  const { applications } = mesh.fixture.gateway
  await assert.rejects(applications.previewParameters({ name }), /there is nothing to preview/)
})

test('a change that cannot be rendered is shown with the reason', async () => {
  const { applications } = mesh.fixture.gateway
  const answer = await applications.previewParameters({ name, changes: change('replicas', 'many') })
  assert.match(answer.error, /replicas must be a number/)
  assert.deepEqual([answer.objects, answer.drySha], [[], first])
})

test('a hydrated commit shows what it changed, and the first one that everything is new', async () => {
  const { applications, branches } = mesh.fixture.gateway
  const begun = await applications.getCommitChanges({ name })
  assert.deepEqual(changesOf(begun.objects).toSorted(), [
    'created ConfigMap same',
    'created ConfigMap web',
    'created Secret login',
  ])
  assert.deepEqual([begun.drySha, begun.parentDrySha], [first, ''])
  const { drySha } = await applications.setParameters({ name, changes: change('replicas', '2') })
  await mesh.fixture.hydrateTo(drySha, name)
  const next = await applications.getCommitChanges({ name })
  assert.deepEqual(changesOf(next.objects), ['changed ConfigMap web', 'changed Secret login'])
  assert.ok(!JSON.stringify(next.objects).includes('hunter'))
  assert.partialDeepStrictEqual(next, { drySha, parentSha: begun.hydratedSha, parentDrySha: first })
  const again = await applications.getCommitChanges({ name, hydratedSha: begun.hydratedSha })
  assert.equal(again.hydratedSha, begun.hydratedSha)
  assert.equal(again.objects.length, 3)
  await assert.rejects(
    applications.getCommitChanges({ name, hydratedSha: 'main' }),
    /is not a full commit id/,
  )
  assert.equal((await branches.listBranches({ text: 'changing' })).total, 1)
})

test('a commit of somebody else is told apart, and what it left that is no manifests is an answer', async () => {
  const { applications } = mesh.fixture.gateway
  const { repository, branch } = await mesh.fixture.hydratedOnce('foreign')
  const hydrated = await repository.head(branch)
  const broken = await repository.pushForeign(branch, { 'foreign/manifest.yaml': 'a: [\n' })
  const removed = await repository.pushForeign(branch, { 'foreign/manifest.yaml': undefined })
  const { entries } = await applications.listHistory({ name: 'foreign' })
  assert.deepEqual(
    entries.map(({ hydratedSha, foreign }) => [hydratedSha, foreign]),
    [
      [removed, true],
      [broken, true],
      [hydrated, false],
    ],
  )
  const changesIn = (hydratedSha: string) => applications.getCommitChanges({ name: 'foreign', hydratedSha })
  const { error, objects, parentSha } = await changesIn(broken)
  assert.match(error, /foreign\/manifest\.yaml of [0-9a-f]{7}:2/)
  assert.deepEqual([objects, parentSha], [[], hydrated])
  assert.equal((await changesIn(removed)).error, '')
})

test('a preview masks what the chart makes at each render, and names it', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('random-preview', {
    'made/Chart.yaml': 'apiVersion: v2\nname: made\nversion: 1.0.0\n',
    'made/values.yaml': 'replicas: 1\n',
    'made/templates/config.yaml': configMap('made', '{{ .Values.replicas }}'),
    'made/templates/random.yaml': configMap('random', '{{ randAlphaNum 20 }}'),
  })
  const made = { name: 'made', repoURL: repository.url, branch: 'environments/random-preview' }
  await fixture.applyAndWait(await repository.dry.head(), made)
  const asked = { name: 'made', changes: change('replicas', '3') }
  const { objects, warnings } = await fixture.gateway.applications.previewParameters(asked)
  assert.deepEqual(changesOf(objects), ['changed ConfigMap made'])
  assert.match(
    warnings.join('\n'),
    /^random at each render: renders differ in ConfigMap .*random: data\.value \([^\n]*$/,
  )
})

test('a value that the chart does not have is committed with a warning, and the status keeps it', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('unknown-value', {
    'plain/Chart.yaml': 'apiVersion: v2\nname: plain\nversion: 1.0.0\n',
    'plain/values.yaml': 'replicas: 1\n',
    'plain/templates/config.yaml': configMap('plain', '{{ .Values.replicas }}'),
  })
  const application = { name: 'plain', repoURL: repository.url, branch: 'environments/unknown-value' }
  await fixture.applyAndWait(await repository.dry.head(), application)
  const { applications } = fixture.gateway
  const asked = { name: 'plain', changes: change('colour', 'blue') }
  const doubt =
    'colour: the chart has no such value and no template reads one, so it changes nothing; correct or remove it'
  const { file } = await applications.previewParameters(asked)
  assert.deepEqual([file?.problems, file?.warnings], [[], [doubt]])
  const committed = await applications.setParameters(asked)
  assert.deepEqual([committed.file?.problems, committed.file?.warnings], [[], [doubt]])
  const status = await fixture.hydrateTo(committed.drySha, 'plain')
  assert.deepEqual(status.warnings, [`parameter ${doubt}`])
})
