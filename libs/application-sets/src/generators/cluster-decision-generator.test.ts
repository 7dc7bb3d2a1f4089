import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  FailedPreconditionError,
  InvalidInputError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { parseApplicationSet } from '../application-set.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'
import type { GuardedCluster } from '../inputs/input-guard.ts'
import { GeneratorInputs } from '../inputs/run-inputs.ts'
import { runGenerator } from './run-generator.ts'
import { startRun } from './start-run.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
await fixture.addCluster('one', { server: 'https://one', project: 'team' })
await fixture.addCluster('two', { server: 'https://two' })

type Fields = Record<string, unknown>

const apiVersion = 'cluster.example.com/v1'
const definition = {
  apiVersion,
  kind: 'PlacementDecision',
  statusListKey: 'decisions',
  matchKey: 'clusterName',
}

async function storeConfigMap(name: string, data: Record<string, string>): Promise<void> {
  const metadata = { name, namespace: 'argocd' }
  await fixture.store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
}

async function storeDecision(name: string, status: Fields, version = 'v1'): Promise<void> {
  const metadata = { name, namespace: 'argocd', labels: { of: name } }
  const resource = { apiVersion: `cluster.example.com/${version}`, kind: 'PlacementDecision', metadata }
  await fixture.store.updateStatus({ ...(await fixture.store.create(resource)), status })
}

await storeConfigMap('placement', definition)
await storeDecision('first', {
  decisions: [
    { clusterName: 'two', reason: 'near', weight: 1000000 },
    { clusterName: 'unknown' },
    { clusterName: 'in-cluster' },
    { reason: 'nowhere' },
    { clusterName: 7 },
  ],
})
await storeDecision('second', {
  decisions: [{ clusterName: 'one', server: 'https://other', name: 'renamed' }],
})
await storeDecision('third', { decisions: [{ clusterName: 'one' }] }, 'v2')
await storeDecision('without-status', {})
await storeConfigMap('kindless', { apiVersion })
await storeConfigMap('others', { text: 'x' })
await storeDecision('textual', { decisions: 'one' })
await storeDecision('unmapped', { decisions: ['one'] })

async function parameters(fields: Fields, spec: Fields = {}): Promise<Fields[]> {
  const clusterDecisionResource = { configMapRef: 'placement', ...fields }
  return (await fixture.parameters({ clusterDecisionResource }, spec)).map(({ values }) => values)
}

const labelSelector = {
  matchExpressions: [{ key: 'of', operator: 'In', values: ['first', 'second', 'third'] }],
}

test('a decision makes parameters of a known cluster and of what it says itself', async () => {
  const clusterDecisionResource = { configMapRef: 'placement', name: 'first' }
  assert.deepEqual(await fixture.parameters({ clusterDecisionResource }), [
    {
      origin: 'spec.generators[0].clusterDecisionResource: PlacementDecision first: status.decisions[0]',
      values: { name: 'two', server: 'https://two', clusterName: 'two', reason: 'near', weight: '1e+06' },
    },
    {
      origin: 'spec.generators[0].clusterDecisionResource: PlacementDecision first: status.decisions[2]',
      values: { name: 'in-cluster', server: 'https://kubernetes.default.svc', clusterName: 'in-cluster' },
    },
  ])
})

test('labels select several objects of the wanted version, whose entries may replace name and server', async () => {
  const found = await parameters({ labelSelector })
  assert.deepEqual(
    found.map(({ name, server }) => [name, server]),
    [
      ['two', 'https://two'],
      ['in-cluster', 'https://kubernetes.default.svc'],
      ['renamed', 'https://other'],
    ],
  )
})

test('values are not rendered', async () => {
  const fields = { name: 'second', values: { at: '{{name}}' } }
  assert.equal((await parameters(fields))[0]?.['values.at'], '{{name}}')
  const [values] = await parameters(fields, { goTemplate: true })
  assert.deepEqual(values?.['values'], { at: '{{name}}' })
})

test('a status without the list and a ConfigMap without matchKey give nothing', async () => {
  assert.deepEqual(await parameters({ name: 'without-status' }), [])
  const { matchKey: _, ...unmatched } = definition
  await storeConfigMap('unmatched', unmatched)
  assert.deepEqual(await parameters({ configMapRef: 'unmatched', name: 'first' }), [])
  const { statusListKey: _key, ...listless } = definition
  await storeConfigMap('listless', listless)
  await storeDecision('with-clusters', { clusters: [{ clusterName: 'one' }] })
  assert.equal((await parameters({ configMapRef: 'listless', name: 'with-clusters' })).length, 1)
})

for (const [fields, message] of [
  [
    { name: 'a', configMapRef: 'absent' },
    /error reading configMapRef: ConfigMap argocd\/absent does not exist or defines no decisions$/,
  ],
  [
    { name: 'a', configMapRef: 'others' },
    /error reading configMapRef: ConfigMap argocd\/others does not exist or defines no decisions$/,
  ],
  [
    { name: 'a', configMapRef: 'kindless' },
    /there is a problem with the apiVersion, kind or resourceName provided/,
  ],
  [{ name: 'absent' }, /no clusterDecisionResources found: .* is named absent$/],
  [{ name: 'third' }, /no clusterDecisionResources found/],
  [{ labelSelector: { matchLabels: { of: 'x' } } }, /no clusterDecisionResources found: .* has such labels$/],
  [{ name: 'textual' }, /status\.decisions must be a list, not a string$/],
  [{ name: 'unmapped' }, /status\.decisions\[0\] must be an object, not a string$/],
] as const) {
  test(`${JSON.stringify(fields)} fails: ${message.source.slice(0, 60)}`, async () => {
    await assert.rejects(
      parameters(fields),
      (error) =>
        error instanceof FailedPreconditionError &&
        error.message.startsWith('spec.generators[0].clusterDecisionResource: ') &&
        message.test(error.message),
    )
  })
}
for (const [fields, message] of [
  [{}, /problem with the definition of the ClusterDecisionResource generator/],
  [{ labelSelector: {} }, /problem with the definition/],
  [{ name: 'a', labelSelector: { matchExpressions: [] } }, /problem with the definition/],
  [{ name: 'first', values: { a: 1 } }, /values\.a must be a string, not a number$/],
  [{ name: 'first', configMapRef: '' }, /configMapRef is required$/],
  [{ labelSelector: { matchLabels: { 'a b': 'c' } } }, /"a b" is not a name/],
] as const) {
  test(`${JSON.stringify(fields)} is refused`, async () => {
    await assert.rejects(
      parameters(fields),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  })
}

test('every matched cluster is checked before there are parameters, and no other', async () => {
  const asked: GuardedCluster[][] = []
  const guard = {
    repository: () => Promise.resolve(),
    clusters: (clusters: readonly GuardedCluster[]) => {
      asked.push(clusters.map(({ server, project }) => ({ server, project })))
      throw new PermissionDeniedError('not these')
    },
  }
  const { signal } = new AbortController()
  const inputs = new GeneratorInputs(fixture.context, { refresh: false, guard, signal })
  const clusterDecisionResource = { configMapRef: 'placement', labelSelector }
  const set = parseApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set' },
    spec: { generators: [{ clusterDecisionResource }], template: {} },
  })
  const run = startRun(set, fixture.context, { inputs, account: 'someone', signal })
  const [entry] = set.generators
  assert.ok(entry)
  await assert.rejects(runGenerator(entry, run), PermissionDeniedError)
  assert.deepEqual(asked, [
    [
      { server: 'https://two', project: '' },
      { server: 'https://kubernetes.default.svc', project: '' },
      { server: 'https://one', project: 'team' },
    ],
  ])
})

test('a new decision changes what is generated', async () => {
  const generators = [{ clusterDecisionResource: { configMapRef: 'placement', name: 'growing' } }]
  const destination = { server: '{{server}}' }
  const spec = {
    generators,
    template: { metadata: { name: '{{name}}' }, spec: { project: 'p', destination } },
  }
  const names = async () => (await fixture.generate(spec)).map(({ metadata }) => metadata.name)
  await storeDecision('growing', { decisions: [{ clusterName: 'one' }] })
  assert.deepEqual([await names(), await names()], [['one'], ['one']])
  const stored = await fixture.store.get('PlacementDecision', 'argocd', 'growing')
  assert.ok(stored)
  const decisions = [{ clusterName: 'one' }, { clusterName: 'two' }]
  await fixture.store.updateStatus({ ...stored, status: { decisions } })
  assert.deepEqual(await names(), ['one', 'two'])
})
