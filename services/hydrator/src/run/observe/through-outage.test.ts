import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { throughOutage } from './through-outage.ts'

/** A write that fails with each of the errors, and then succeeds. */
function writeFailingWith(...errors: Error[]) {
  const calls = { count: 0 }
  const write = async (): Promise<void> => {
    const error = errors[calls.count++]
    if (error) throw error
  }
  return { calls, write }
}

test('a write is repeated while the store is away', async () => {
  const { calls, write } = writeFailingWith(new UnavailableError('away'), new UnavailableError('away'))
  await throughOutage(write, new AbortController().signal)
  assert.equal(calls.count, 3)
})

test('what waiting does not help is not repeated', async () => {
  const { calls, write } = writeFailingWith(new FailedPreconditionError('no definition'))
  await assert.rejects(throughOutage(write, new AbortController().signal), /no definition/)
  assert.equal(calls.count, 1)
})

test('a run that must end does not wait for the store', async () => {
  const end = new AbortController()
  const away = Array.from({ length: 9 }, () => new UnavailableError('away'))
  const { calls, write } = writeFailingWith(...away)
  const waiting = throughOutage(write, end.signal)
  end.abort()
  await assert.rejects(waiting, /away/)
  assert.ok(calls.count <= 2, `${calls.count} calls`)
})
