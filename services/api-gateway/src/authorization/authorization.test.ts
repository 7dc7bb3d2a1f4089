import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { callBy, storePolicy, storeProject } from './policy-fixture.ts'

const objects = ['dev/web', 'dev/api', 'prod/web']

test('many objects of a call are decided as each alone, for each caller, and a changed policy applies at once', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const { authorization } = context
  await storePolicy(context, 'p, ada, applications, get, dev/*, allow', 'g, ops, role:admin')
  const [ada, member, bo] = [callBy('ada'), callBy('bo', ['ops']), callBy('bo')]
  const each = [ada, member, bo].map((call) => authorization.allowsEach(call, 'applications', 'get'))
  const answers = () => each.map((allows) => objects.filter((object) => allows(object)))
  const expected = [['dev/web', 'dev/api'], objects, []]
  assert.deepEqual(answers(), expected)
  assert.deepEqual(answers(), expected, 'from what is kept')
  assert.equal(authorization.allowsEach(ada, 'applications', 'delete')('dev/web'), false)
  await storePolicy(context, 'p, ada, applications, get, prod/*, allow')
  assert.deepEqual(answers(), [['prod/web'], [], []])
  await storeProject(context, 'prod', { roles: [] })
  await storePolicy(context, 'p, ada, applications, get, prod/*, deny')
  assert.deepEqual(answers(), [[], [], []])
})
