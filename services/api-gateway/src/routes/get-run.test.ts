import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetRunRequestSchema, ListRunsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import { until } from '@wadi/testing/until.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { runRoutes } from './runs.ts'

const directory = (path: string) => ({ path, applications: [`argocd/${path}`], result: 'rendered' })

const failed = 'revision bank-1 of https://git.example.com/deploy.git not found'
const branchEvents = [
  { type: 'Warning', reason: 'ForeignChange', note: 'branch environments/prod was edited' },
  { type: 'Normal', reason: 'Hydrated', note: 'dry commit 1234567 of bank-1' },
  { type: 'Warning', reason: 'HydrationFailed', note: 'argocd/bank: password is not set' },
  { type: 'Warning', reason: 'HydrationFailed', note: 'revision main not found' },
]
const ofShop = { repoUrl: 'https://git.example.com/deploy.git', targetRevision: 'main' }

async function openWithRuns() {
  const runs = [
    { id: 'b', outcome: 'Running', startedAt: '2026-01-02T00:00:00Z' },
    {
      id: 'a',
      outcome: 'Hydrated',
      startedAt: '2026-01-01T00:00:00Z',
      message: failed,
      steps: [
        { name: 'commit', error: 'argocd/bank: password is not set' },
        { name: 'inspect', error: 'revision main not found' },
        { name: 'report' },
      ],
      sources: [
        { repoUrl: 'https://git.example.com/deploy.git', targetRevision: 'bank-1', message: failed },
        { ...ofShop, message: 'revision main not found' },
      ],
      directories: [
        ...['shop', 'bank'].map(directory),
        { path: '', applications: ['argocd/shop', 'argocd/bank'], result: 'failed', error: 'bank is wrong' },
      ],
      events: branchEvents,
    },
  ]
  const fixture = await openGatewayFixture({ hydrator: { listRuns: () => ({ runs, queue: 'Running' }) } })
  const { context } = fixture
  await context.store.create(sampleApplication('shop', { project: 'shop' }))
  const drySource = { repoURL: 'https://git.example.com/deploy.git', targetRevision: 'bank-1', path: 'bank' }
  await context.store.create(sampleApplication('bank', { project: 'bank', sourceHydrator: { drySource } }))
  await until(() => context.summaries.sorted.length === 2)
  const list = (call = callContext()) =>
    runRoutes(context).listRuns(create(ListRunsRequestSchema, { name: 'shop' }), call)
  const get = (id: string, call = callContext()) =>
    runRoutes(context).getRun(create(GetRunRequestSchema, { name: 'shop', id }), call)
  return { context, list, get, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('runs are listed without their directories, and one is read by its id, or the newest', async () => {
  await using gateway = await openWithRuns()
  const { runs, queue } = await gateway.list()
  assert.deepEqual(
    runs.map(({ id, directories }) => [id, directories.length]),
    [
      ['b', 0],
      ['a', 0],
    ],
  )
  assert.equal(queue, 'Running')
  assert.equal((await gateway.get('')).run.id, 'b')
  const { run, hidden, directory: own } = await gateway.get('a')
  assert.deepEqual(
    run.directories.map(({ path }) => path),
    ['shop', 'bank', ''],
  )
  assert.deepEqual([hidden, own, run.message, run.events.length], [0, 'shop', failed, 4])
  await assert.rejects(gateway.get('c'), { name: 'NotFoundError', message: /run "c" is not known any more/ })
})

test('who sees one Application of a branch sees no directory, source, error or event of another', async () => {
  await using gateway = await openWithRuns()
  await storePolicy(gateway.context, 'p, ada, applications, get, shop/*, allow')
  const { run, hidden } = await gateway.get('a', callBy('ada'))
  assert.deepEqual([run.directories.map(({ path }) => path), hidden], [['shop', ''], 1])
  assert.deepEqual(
    run.sources.map(({ repoUrl, message }) => [repoUrl, message]),
    [[ofShop.repoUrl, 'revision main not found']],
  )
  const notShown = 'not shown, because it may be about an Application that you may not see'
  assert.deepEqual(
    run.events.map(({ note }) => note),
    ['branch environments/prod was edited', notShown, 'revision main not found'],
  )
  const { runs } = await gateway.list(callBy('ada'))
  for (const one of [run, runs[1]]) {
    assert.equal(one?.message, notShown)
    assert.deepEqual(
      one.steps.map(({ error }) => error),
      [notShown, 'revision main not found', ''],
    )
    assert.doesNotMatch(JSON.stringify(one), /bank/)
  }
  await storePolicy(gateway.context, 'p, ada, applications, get, bank/*, allow')
  await assert.rejects(gateway.list(callBy('ada')), { name: 'NotFoundError' })
})
