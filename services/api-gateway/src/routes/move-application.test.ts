import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MoveApplicationRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { callBy, storeProject } from '../authorization/policy-fixture.ts'
import { callContext, type GatewayFixture } from '../gateway-fixture.ts'
import { openWith } from './application-access-fixture.ts'
import { moveApplication } from './move-application.ts'

function move(
  { context }: GatewayFixture,
  request: MessageInitShape<typeof MoveApplicationRequestSchema>,
  call = callContext(),
) {
  return moveApplication(context)(create(MoveApplicationRequestSchema, { name: 'web', ...request }), call)
}

async function stored({ context }: GatewayFixture) {
  const application = await context.store.get('Application', 'argocd', 'web')
  assert.ok(application)
  return application
}

test('an Application moves to other branches and is otherwise as it was', async () => {
  await using fixture = await openWith('p, ada, applications, *, dev/*, allow')
  const before = await stored(fixture)
  const sourceHydrator = before.spec?.['sourceHydrator'] as object
  await move(fixture, { syncBranch: 'environments/next' }, callBy('ada'))
  const syncSource = { targetBranch: 'environments/next', path: 'web' }
  assert.deepEqual((await stored(fixture)).spec, {
    ...before.spec,
    sourceHydrator: { ...sourceHydrator, syncSource },
  })
  await move(fixture, { hydrateToBranch: 'environments/next-review' })
  const { spec, metadata } = await stored(fixture)
  const hydrateTo = { targetBranch: 'environments/next-review' }
  assert.deepEqual(spec?.['sourceHydrator'], { ...sourceHydrator, syncSource, hydrateTo })
  assert.deepEqual(metadata.labels, before.metadata.labels)
})

test('a move of another version than the stored one changes nothing', async () => {
  await using fixture = await openWith()
  const version = decidedVersion(await stored(fixture))
  await move(fixture, { syncBranch: 'environments/next', version })
  await assert.rejects(move(fixture, { syncBranch: 'environments/other', version }), {
    name: 'ConflictError',
    message: /web was changed by somebody else/,
  })
  assert.match(JSON.stringify((await stored(fixture)).spec), /environments\/next/)
})

test('no branch, a branch that git does not take, the dry branch itself and a missing right are refused', async () => {
  await using fixture = await openWith('p, ada, applications, get, dev/*, allow')
  const before = await stored(fixture)
  await assert.rejects(move(fixture, {}), { message: /both empty; name at least one branch/ })
  await assert.rejects(move(fixture, { syncBranch: 'a..b' }), { message: /syncSource\.targetBranch/ })
  await assert.rejects(move(fixture, { syncBranch: 'x'.repeat(60_000) }), ({ message }: Error) => {
    assert.match(message, /syncSource\.targetBranch/)
    return message.length < 1_000
  })
  await assert.rejects(move(fixture, { hydrateToBranch: 'main' }), {
    message: /main is the dry source itself/,
  })
  const asked = { syncBranch: 'environments/next' }
  await assert.rejects(move(fixture, asked, callBy('ada')), {
    message: 'permission denied: applications, update, dev/web, sub: ada',
  })
  await assert.rejects(move(fixture, asked, callBy('bob')), { name: 'NotFoundError' })
  assert.deepEqual(await stored(fixture), before)
})

test('a move checks the project of what it changes, when somebody moves the Application to another one meanwhile', async () => {
  for (const read of ['Application', 'AppProject']) {
    await using raced = await openWith('p, ada, applications, *, */*, allow')
    await storeProject(raced.context, 'prod', { sourceRepos: ['https://git.example.com/prod.git'] })
    const { store } = raced.context
    const get = store.get.bind(store)
    mock.method(store, 'get', async (...asked: Parameters<typeof get>) => {
      const found = await get(...asked)
      if (asked[0] !== read) return found
      mock.restoreAll()
      await store.patch('Application', 'argocd', 'web', { spec: { project: 'prod' } })
      return found
    })
    await assert.rejects(move(raced, { syncBranch: 'environments/next' }, callBy('ada')), {
      name: 'PermissionDeniedError',
      message: /is not permitted in project 'prod'/,
    })
    assert.doesNotMatch(JSON.stringify((await stored(raced)).spec), /environments\/next/)
  }
})
