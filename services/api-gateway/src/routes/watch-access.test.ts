import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { WatchApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { callBy, storePolicy, storeProject } from '../authorization/policy-fixture.ts'
import { type GatewayFixture, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { watchApplications } from './watch-applications.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** A watch by a user, whose next states a test takes one by one, each as `TYPE project/name`. */
function watchBy({ context }: GatewayFixture, user: string) {
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(hangLimitMs)])
  const call = callBy(user, [], signal)
  const stream = watchApplications(context, end.signal)(create(WatchApplicationsRequestSchema), call)
  return {
    async next(): Promise<string> {
      const { done, value } = await stream.next()
      if (done) throw new Error('the watch ended')
      const { metadata, spec } = value.application as unknown as Resource
      return `${value.type} ${String(spec?.['project'])}/${metadata.name}`
    },
    [Symbol.dispose]: () => end.abort(),
  }
}

test('a watch delivers what the caller may see, and what becomes visible or hidden by a move', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  await storePolicy(fixture.context, 'p, ada, applications, get, dev/*, allow')
  const move = async (name: string, project: string) => {
    const current = await store.get('Application', 'argocd', name)
    const next = sampleApplication(name, { project })
    await (current ? store.update({ ...next, metadata: current.metadata }) : store.create(next))
  }
  await move('api', 'prod')
  await move('web', 'dev')
  using watching = watchBy(fixture, 'ada')
  assert.equal(await watching.next(), 'ADDED dev/web')
  await move('web', 'prod')
  // As it was last delivered: what it is now is not for this caller.
  assert.equal(await watching.next(), 'DELETED dev/web')
  await move('web', 'other')
  await store.delete('Application', 'argocd', 'web')
  await move('api', 'dev')
  assert.equal(await watching.next(), 'ADDED dev/api')
})

test('a changed policy and a changed role of a project change what a watch delivers', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeProject(context, 'dev')
  await storePolicy(context, 'p, ada, applications, get, dev/api, allow')
  for (const name of ['api', 'web']) await context.store.create(sampleApplication(name, { project: 'dev' }))
  using watching = watchBy(fixture, 'ada')
  assert.equal(await watching.next(), 'ADDED dev/api')
  await storePolicy(context, 'p, ada, applications, get, dev/web, allow')
  assert.equal(await watching.next(), 'DELETED dev/api')
  assert.equal(await watching.next(), 'ADDED dev/web')
  const policies = ['p, proj:dev:reader, applications, get, dev/api, allow']
  const { spec } = (await context.store.get('AppProject', 'argocd', 'dev')) ?? {}
  await storePolicy(context, 'g, ada, proj:dev:reader')
  assert.equal(await watching.next(), 'DELETED dev/web')
  await storeProject(context, 'dev', { ...spec, roles: [{ name: 'reader', policies }] })
  assert.equal(await watching.next(), 'ADDED dev/api')
})
