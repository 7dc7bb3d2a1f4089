import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { create, isFieldSet, toJson } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { lanesByProject } from '../lanes/lane-of.ts'
import { RunPlaces } from '../lanes/run-places.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { createHydratorEvents } from '../events.ts'
import { startBranchBed } from './branch-bed-fixture.ts'
import { application, controlPlaneObject } from './run-fixture.ts'
import { sha } from './run-neighbours-fixture.ts'

test('a branch is brought to its dry commit with one commit, and then left alone', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'), application('b'))
  await bed.run()
  const [commit] = bed.neighbours.landed
  assert.deepEqual(commit?.paths.toSorted(), ['a', 'b'])
  assert.equal(commit?.header.message, '1111111: change\n\nCo-authored-by: A <a@example.com>\n')
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual([bed.neighbours.landed.length, bed.neighbours.rendered], [1, 2])
})

test('only what must be rendered waits for a place among those that are rendered', async () => {
  await using bed = await startBranchBed()
  const { context } = bed.fixture
  await bed.fixture.add(application('a'))
  bed.neighbours.fingerprint = (_, path) => path
  context.rendering = new RunPlaces(1, 'rendering', lanesByProject(''))
  const waits: unknown[] = []
  context.events.waited = (...wait) => void waits.push(wait)
  const other = { project: 'other', repoUrl: 'https://git.example.com/other' }
  const place = await context.rendering.take(other)
  const first = bed.run()
  while (context.rendering.waiting === 0) await new Promise(setImmediate)
  assert.equal(bed.neighbours.landed.length, 0)
  place[Symbol.dispose]()
  await first
  const [[project, step, milliseconds] = []] = waits as unknown[][]
  assert.deepEqual([project, step, Number(milliseconds) > 0], ['default', 'rendering', true])
  using _ = await context.rendering.take(other)
  bed.neighbours.dry = { main: sha(2) }
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ header, paths }) => [header.drySha, paths]),
    [
      [sha(1), ['a']],
      [sha(2), []],
    ],
  )
})

test('a run that only notes its dry commit is recorded once, one that may push a commit also when it starts', async () => {
  await using bed = await startBranchBed()
  const { store } = bed.fixture
  const written = async () => Number((await store.list('HydratedBranch')).resourceVersion)
  await bed.fixture.add(application('a'))
  bed.neighbours.fingerprint = (_, path) => path
  await bed.run()
  await bed.fixture.reload()
  const first = await written()
  bed.neighbours.dry = { main: sha(2) }
  await bed.run()
  const second = await written()
  bed.neighbours.dry = { main: sha(3) }
  bed.neighbours.fingerprint = (drySha, path) => `${drySha} ${path}`
  await bed.run()
  assert.deepEqual([second - first, (await written()) - second], [1, 2])
  assert.equal((await bed.groups())?.[0]?.success?.drySha, sha(3))
})

test('every fact of a record is in hydrator.metadata, but warnings, in the status, and what is for comparisons, attestations, layouts and explanations', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  const record = create(RenderRecordSchema, {
    commands: ['helm template a'],
    tools: [{ name: 'helm', version: 'v4.1.4' }],
    warnings: ['a is odd'],
    parameters: [{ of: 'values', path: '.a', value: { kind: { case: 'numberValue', value: 1 } } }],
    parametersLeftOut: 3,
    pluginVariables: { KUBE_VERSION: '1.34.0' },
    random: [{ difference: 'renders differ' }],
    findings: [
      {
        rule: 'secrets/aws',
        severity: 'audit',
        object: { version: 'v1', kind: 'ConfigMap', name: 'a' },
        field: 'data.key',
        message: 'looks like a credential',
        place: { file: 'a/values.yaml', line: 3 },
      },
    ],
    findingsLeftOut: 1,
    coveredFindings: [{ rule: 'secrets/github', severity: 'deny', waiver: { owner: 'shop' } }],
    gateRuns: [{ severities: [{ gate: 'secrets', severity: 'audit' }], rulesVersion: 1 }],
    printed: [0],
    origins: { origins: [{ owners: ['web'], template: 'templates/a.yaml' }], originOf: [1] },
  })
  bed.neighbours.record = record
  await bed.run()
  const [details] = bed.neighbours.details
  const metadata = JSON.parse(details?.metadata ?? '') as object
  for (const field of RenderRecordSchema.fields) {
    assert.ok(isFieldSet(record, field), `give ${field.name} a value here`)
    if (field.name === 'warnings') continue
    if (['random', 'covered_findings', 'printed', 'origins'].includes(field.name)) {
      assert.ok(!Object.hasOwn(metadata, field.jsonName))
      continue
    }
    if (field.name === 'gate_runs') {
      assert.deepEqual([details?.gateRuns, Object.hasOwn(metadata, 'gateRuns')], [record.gateRuns, false])
      continue
    }
    const { [field.jsonName]: value } = toJson(RenderRecordSchema, record) as Record<string, unknown>
    assert.deepEqual(Reflect.get(metadata, field.jsonName), value)
  }
  assert.deepEqual((await bed.groups())?.[0]?.success?.warnings, [
    { application: 'argocd/a', warnings: ['a is odd'] },
  ])
  const [found] = (await bed.groups())?.[0]?.success?.findings ?? []
  assert.equal(found?.findings.at(-1)?.waiver?.owner, 'shop')
})

test('findings of gates are recorded, counted by gate and severity, and logged', async () => {
  await using bed = await startBranchBed()
  const { context } = bed.fixture
  const metrics = createMetrics('hydrator')
  const lines: string[] = []
  const write = (line: string): unknown => lines.push(line)
  const logger = createLogger({ service: 'hydrator', level: 'info', format: 'json', write })
  context.events = createHydratorEvents(logger, metrics)
  await bed.fixture.add(application('a'))
  const finding = {
    rule: 'secrets/aws',
    severity: 'warn',
    field: 'data.key',
    message: 'looks like a credential',
  }
  bed.neighbours.record = { findings: [finding, { ...finding, severity: 'audit' }, finding] }
  await bed.run()
  const text = await metrics.expose()
  assert.match(text, /wadi_gate_findings_total\{.*gate="secrets",severity="warn".*\} 2/)
  assert.match(text, /wadi_gate_findings_total\{.*gate="secrets",severity="audit".*\} 1/)
  assert.match(
    lines.join(''),
    /"rule":"secrets\/aws","severity":"warn".*"field":"data\.key".*gates found something/,
  )
})

test("nothing is hydrated or written to Applications where Argo CD's own hydrator is on, until it is turned off", async () => {
  await using bed = await startBranchBed({ operations: true, yieldsToArgoCd: true })
  const { store } = bed.fixture
  const annotations = { 'argocd.argoproj.io/hydrate': 'normal' }
  const parameters = { data: { 'hydrator.enabled': 'true' } }
  await bed.fixture.add(application('a', { annotations }))
  const stored = await store.get('Application', 'argocd', 'a')
  await bed.fixture.add(controlPlaneObject('ConfigMap', 'argocd-cmd-params-cm', parameters))
  await bed.run()
  const [group] = (await bed.groups()) ?? []
  assert.equal(group?.phase, 'Failed')
  assert.match(group.message, /^Argo CD's own hydrator is on/)
  assert.deepEqual(await store.get('Application', 'argocd', 'a'), stored)
  await store.delete('ConfigMap', 'argocd', 'argocd-cmd-params-cm')
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 1)
  assert.equal((await bed.groups())?.[0]?.phase, 'Hydrated')
})

test('files are sent in portions after the manifests, and the record names them', async () => {
  await using bed = await startBranchBed()
  const large = 'x'.repeat(300 * 1024)
  bed.neighbours.files = ['b', 'a', 'etc/c'].map((path) => ({ path, content: large }))
  await bed.fixture.add(application('a'))
  await bed.run()
  const { details } = bed.neighbours
  assert.deepEqual(
    details.map(({ path, manifests, files }) => [path, manifests.length, files.map((file) => file.path)]),
    [
      ['a', 1, []],
      ['a', 0, ['b']],
      ['a', 0, ['a']],
      ['a', 0, ['etc/c']],
    ],
  )
  assert.ok(details.flatMap(({ files }) => files).every(({ content }) => content === large))
  const record = JSON.parse(details[0]?.metadata ?? '') as { files: string[] }
  assert.deepEqual(record.files, ['a', 'b', 'etc/c'])
})

test('a warning of the renderer is recorded for its Application, once', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  bed.neighbours.record = { warnings: ['parameter size is not a number', 'parameter size is not a number'] }
  await bed.run()
  assert.deepEqual((await bed.groups())?.[0]?.success?.warnings, [
    { application: 'argocd/a', warnings: ['parameter size is not a number'] },
  ])
})

for (const step of ['inspect', 'render'] as const) {
  test(`one directory that fails to ${step} keeps its whole group from landing and is named`, async () => {
    await using bed = await startBranchBed()
    await bed.fixture.add(application('a'), application('b'), application('c'))
    bed.neighbours.broken[step].add('apps/b')
    await bed.run()
    assert.equal(bed.neighbours.landed.length, 0)
    const [group] = (await bed.groups()) ?? []
    assert.equal(group?.phase, 'Failed')
    assert.deepEqual(
      group?.failures.map(({ application: name }) => name),
      ['argocd/b'],
    )
    const { rendered } = bed.neighbours
    await bed.run()
    assert.equal(bed.neighbours.rendered, rendered, 'nothing changed, so nothing is rendered')
    bed.neighbours.broken[step].clear()
    bed.neighbours.dry['main'] = sha(2)
    await bed.run()
    assert.deepEqual(bed.neighbours.landed[0]?.paths.toSorted(), ['a', 'b', 'c'])
  })
}

test('a group that fails does not keep another group of the branch from landing', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'), application('b', { drySource: { targetRevision: 'absent' } }))
  await bed.run()
  assert.deepEqual(bed.neighbours.landed[0]?.paths, ['a'])
  const groups = (await bed.groups()) ?? []
  assert.deepEqual(
    groups.map(({ phase, message }) => [phase, message]),
    [
      ['Hydrated', ''],
      ['Failed', 'revision absent does not exist'],
    ],
  )
})

test('a run whose branch was moved by another starts over from what is there', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  bed.neighbours.rejections.push(
    new ConnectError('moved', Code.Aborted),
    new ConnectError('moved', Code.Aborted),
  )
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 1)
})

test('an outage is recorded and thrown, so that the queue tries again; what users must fix is recorded alone', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  bed.neighbours.rejections.push(new ConnectError('the remote is away', Code.Unavailable))
  await assert.rejects(bed.run(), { name: 'UnavailableError' })
  assert.equal((await bed.groups())?.[0]?.message, 'the remote is away')
  bed.neighbours.rejections.push(new ConnectError('protected branch', Code.FailedPrecondition))
  await bed.run()
  assert.equal((await bed.groups())?.[0]?.message, 'protected branch')
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 0)
  await bed.fixture.request('a', 'normal')
  await bed.run()
  assert.equal((await bed.groups())?.[0]?.phase, 'Hydrated')
})

test('with pruning, what nobody claims is removed, and what a forbidden member claims stays', async () => {
  await using bed = await startBranchBed()
  const data = { 'sourceHydrator.prune': 'true' }
  const v2 = { drySource: { targetRevision: 'v2' } }
  bed.neighbours.dry = { main: sha(1), v2: sha(2) }
  await bed.fixture.add(
    controlPlaneObject('ConfigMap', 'argocd-cm', { data }),
    application('a'),
    application('gone'),
    application('forbidden', { ...v2, project: 'team' }),
    controlPlaneObject('AppProject', 'team', {
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    }),
  )
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 2)
  await bed.fixture.store.delete('AppProject', 'argocd', 'team')
  await bed.fixture.store.delete('Application', 'argocd', 'gone')
  await bed.fixture.reload()
  bed.neighbours.dry['main'] = sha(3)
  await bed.run()
  assert.deepEqual(bed.neighbours.landed.at(-1)?.header.removedPaths, ['gone'])
})

test('a branch without members loses its record', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  await bed.run()
  await bed.fixture.store.delete('Application', 'argocd', 'a')
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual([await bed.groups(), bed.neighbours.landed.length], [undefined, 1])
})
