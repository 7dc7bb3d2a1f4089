import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetRunRequestSchema, ListRunsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import { until } from '@wadi/testing/until.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { getRun } from './get-run.ts'
import { listRuns } from './list-runs.ts'

const directory = (path: string) => ({ path, applications: [`argocd/${path}`], result: 'rendered' })

async function openWithRuns() {
  const runs = [
    { id: 'b', outcome: 'Running', startedAt: '2026-01-02T00:00:00Z' },
    {
      id: 'a',
      outcome: 'Hydrated',
      startedAt: '2026-01-01T00:00:00Z',
      directories: ['shop', 'bank'].map(directory),
    },
  ]
  const fixture = await openGatewayFixture({ hydrator: { listRuns: () => ({ runs, queue: 'Running' }) } })
  const { context } = fixture
  for (const name of ['shop', 'bank']) await context.store.create(sampleApplication(name, { project: name }))
  await until(() => context.summaries.sorted.length === 2)
  const list = (call = callContext()) =>
    listRuns(context)(create(ListRunsRequestSchema, { name: 'shop' }), call)
  const get = (id: string, call = callContext()) =>
    getRun(context)(create(GetRunRequestSchema, { name: 'shop', id }), call)
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
    ['shop', 'bank'],
  )
  assert.deepEqual([hidden, own], [0, 'shop'])
  await assert.rejects(gateway.get('c'), { name: 'NotFoundError', message: /run "c" is not known any more/ })
})

test('who sees one Application of a branch sees no directory of another', async () => {
  await using gateway = await openWithRuns()
  await storePolicy(gateway.context, 'p, ada, applications, get, shop/*, allow')
  const { run, hidden } = await gateway.get('a', callBy('ada'))
  assert.deepEqual([run.directories.map(({ path }) => path), hidden], [['shop'], 1])
  await storePolicy(gateway.context, 'p, ada, applications, get, bank/*, allow')
  await assert.rejects(gateway.list(callBy('ada')), { name: 'NotFoundError' })
})
