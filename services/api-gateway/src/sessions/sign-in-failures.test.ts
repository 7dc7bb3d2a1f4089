import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignInFailures } from './sign-in-failures.ts'

function failedAt(failures: SignInFailures, name: string, ...times: number[]): void {
  for (const time of times) failures.record(name, time)
}

test('after five failures in 300 seconds a name waits until the first of them is that old', () => {
  const failures = new SignInFailures(() => true)
  failedAt(failures, 'alice', 0, 10, 20, 30)
  assert.equal(failures.mustWait('alice', 30), false)
  failedAt(failures, 'alice', 40)
  assert.equal(failures.mustWait('alice', 299), true)
  assert.equal(failures.mustWait('alice', 300), false)
  assert.equal(failures.mustWait('bob', 40), false)
})

test('the right password forgives the failures before it', () => {
  const failures = new SignInFailures(() => true)
  failedAt(failures, 'alice', 0, 0, 0, 0)
  failures.forgive('alice')
  failedAt(failures, 'alice', 1)
  assert.equal(failures.mustWait('alice', 1), false)
})

test('many names that are not accounts push each other out, and no account', () => {
  const failures = new SignInFailures((name) => name === 'admin')
  failedAt(failures, 'admin', 0, 0, 0, 0, 0)
  failedAt(failures, 'first', 0, 0, 0, 0, 0)
  for (let index = 0; index < 2_000; index++) failures.record(`user${index}`, 1)
  assert.equal(failures.mustWait('admin', 1), true)
  assert.equal(failures.mustWait('first', 1), false)
  failedAt(failures, 'user1999', 1, 1, 1, 1)
  assert.equal(failures.mustWait('user1999', 1), true)
})
