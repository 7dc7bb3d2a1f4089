import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from 'bcryptjs'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { storePassword } from '../accounts/password.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { createPasswordCheck, type PasswordCheckOptions } from './password-check.ts'

const password = 'correct horse'
const wrong = { name: 'UnauthenticatedError', message: 'Invalid username or password' }

async function openChecks(responseTime: PasswordCheckOptions['responseTime'] = { least: 0, most: 0 }) {
  const gateway = await openGatewayFixture()
  const { signIn, store } = gateway.context
  const metadata = { name: 'argocd-cm', namespace: controlPlaneNamespace }
  await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} })
  await storePassword(signIn.objects, 'admin', await hash(password, 4), 1)
  const clock = { seconds: 1_000 }
  const check = createPasswordCheck(signIn.objects, () => clock.seconds, { responseTime })
  return { check, clock, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() }
}

test('the right password gives the account; every other answer reveals nothing', async () => {
  await using checks = await openChecks()
  assert.equal((await checks.check('admin', password)).name, 'admin')
  await assert.rejects(checks.check('admin', `${password} `), wrong)
  await assert.rejects(checks.check('nobody', password), wrong)
  await assert.rejects(checks.check('__proto__', password), wrong)
  await assert.rejects(checks.check('', password), wrong)
})

test('blank passwords and names of more than 32 bytes are refused for what they are', async () => {
  await using checks = await openChecks()
  const blank = { name: 'UnauthenticatedError', message: 'Blank passwords are not allowed' }
  await assert.rejects(checks.check('admin', ''), blank)
  const long = { name: 'InvalidInputError', message: 'Username is too long (32 bytes max)' }
  await assert.rejects(checks.check('ä'.repeat(17), password), long)
  await assert.rejects(checks.check('ä'.repeat(16), password), wrong)
})

test('after five wrong passwords the right one is refused too, with the same message, for 300 seconds', async () => {
  await using checks = await openChecks()
  const guesses = Array.from({ length: 5 }, () => assert.rejects(checks.check('admin', 'guess'), wrong))
  await Promise.all(guesses)
  await assert.rejects(checks.check('admin', password), wrong)
  checks.clock.seconds += 299
  await assert.rejects(checks.check('admin', password), wrong)
  checks.clock.seconds += 1
  assert.equal((await checks.check('admin', password)).name, 'admin')
})

test('guesses made at the same time are counted one by one', async () => {
  await using checks = await openChecks()
  const guesses = [...Array.from({ length: 5 }, () => 'guess'), password]
  const answers = await Promise.allSettled(guesses.map((guess) => checks.check('admin', guess)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(['rejected']))
})

test('the 51st at a time is turned away', async () => {
  await using checks = await openChecks()
  const running = Array.from({ length: 50 }, () => checks.check('admin', password))
  await assert.rejects(checks.check('admin', password), { name: 'ResourceExhaustedError' })
  const names = (await Promise.all(running)).map(({ name }) => name)
  assert.deepEqual(new Set(names), new Set(['admin']))
  assert.equal((await checks.check('admin', password)).name, 'admin')
})

test('every answer takes the time that it is given, right, wrong, blank and unknown ones', async () => {
  await using checks = await openChecks({ least: 60, most: 80 })
  const attempts: [string, string][] = [
    ['admin', password],
    ['admin', 'wrong'],
    ['admin', ''],
    ['nobody', 'wrong'],
    ['x'.repeat(33), 'wrong'],
  ]
  for (const [name, given] of attempts) {
    const startedAt = performance.now()
    await Promise.allSettled([checks.check(name, given)])
    assert.ok(performance.now() - startedAt >= 59, `${name} ${given}`)
  }
})
