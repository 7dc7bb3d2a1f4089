import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type ApplicationFilterSchema,
  WatchApplicationSummariesRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { type GatewayFixture, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { watchApplicationSummaries } from './watch-application-summaries.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** A watch, whose next messages a test takes one by one. */
function watch(
  { context }: GatewayFixture,
  filter: MessageInitShape<typeof ApplicationFilterSchema> = {},
  user = 'admin',
) {
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(hangLimitMs)])
  const request = create(WatchApplicationSummariesRequestSchema, { filter })
  const stream = watchApplicationSummaries(context, end.signal)(request, callBy(user, [], signal))
  return {
    async next() {
      const { done, value } = await stream.next()
      if (done) throw new Error('the watch ended')
      const { changed, removed, total, phases, searchAgain } = value
      return {
        changed: changed.map(({ name, phase }) => `${name} ${phase}`.trim()).toSorted(),
        removed: removed.map(({ namespace, name }) => `${namespace}/${name}`),
        total,
        phases,
        searchAgain,
      }
    },
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await stream.return()
    },
  }
}

test('a watch begins with the counts, and several changes come in one message', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const web = hydratedApplication('web', 'shop')
  await storeAll(context, [web])
  await using watching = watch(fixture)
  const quiet = { changed: [], removed: [], searchAgain: false }
  assert.deepEqual(await watching.next(), { ...quiet, total: 1, phases: { '': 1 } })
  await storeAll(context, [recordWith(web), hydratedApplication('api', 'shop')], ({ phase }) => phase !== '')
  assert.deepEqual(await watching.next(), {
    ...quiet,
    changed: ['api Hydrated', 'web Hydrated'],
    total: 2,
    phases: { Hydrated: 2 },
  })
  await context.store.delete('Application', 'argocd', 'web')
  const gone = await watching.next()
  assert.deepEqual([gone.changed, gone.removed, gone.phases], [[], ['argocd/web'], { Hydrated: 1 }])
})

test('an Application that leaves the filter is removed, and the counts know of its new phase', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const web = hydratedApplication('web', 'shop')
  const failed = recordWith(web, { phase: 'Failed', message: 'no' })
  await storeAll(context, [failed, web], ({ phase }) => phase === 'Failed')
  await using watching = watch(fixture, { phases: ['Failed'] })
  await watching.next()
  await storeAll(context, [recordWith(web)])
  const after = await watching.next()
  assert.deepEqual([after.removed, after.total, after.phases], [['argocd/web'], 0, { Hydrated: 1 }])
})

test('a watch knows nothing of what its caller may not see, and follows the policy', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storePolicy(context, 'p, ada, applications, get, dev/*, allow')
  await storeAll(context, [sampleApplication('web', { project: 'dev' })])
  await storeAll(context, [sampleApplication('api', { project: 'prod' })])
  await using watching = watch(fixture, {}, 'ada')
  assert.deepEqual((await watching.next()).phases, { '': 1 })
  await storeAll(context, [sampleApplication('job', { project: 'prod' })])
  await storePolicy(context, 'p, ada, applications, get, prod/api, allow')
  assert.deepEqual(await watching.next(), {
    changed: ['api'],
    removed: ['argocd/web'],
    total: 1,
    phases: { '': 1 },
    searchAgain: false,
  })
})

test('when more changed than one message names, it says to search again', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const web = hydratedApplication('web', 'shop')
  const many = Array.from({ length: 501 }, (_, index) => hydratedApplication(`app-${index}`, 'shop'))
  await storeAll(context, [web, ...many])
  await using watching = watch(fixture)
  await watching.next()
  await storeAll(context, [recordWith(web)])
  const message = await watching.next()
  assert.deepEqual([message.changed, message.searchAgain, message.total], [[], true, 502])
  assert.deepEqual(message.phases, { Hydrated: 502 })
})

test('a filter that cannot be used ends the watch with its error', async () => {
  await using fixture = await openGatewayFixture()
  await using watching = watch(fixture, { text: 'x'.repeat(300) })
  await assert.rejects(watching.next(), { name: 'InvalidInputError' })
})
