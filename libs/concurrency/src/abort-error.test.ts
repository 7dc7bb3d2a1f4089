import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { abortError } from './abort-error.ts'

test('a signal whose time ran out gives a deadline error', async () => {
  const late = AbortSignal.timeout(0)
  if (!late.aborted) await new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
  const { name, message, cause } = abortError(late, 'git fetch')
  assert.deepEqual([name, message], ['DeadlineExceededError', 'the time for git fetch ran out'])
  assert.equal(cause, late.reason)
})

test('the deadline of a call gives a deadline error', () => {
  const reason = Object.assign(new Error('[deadline_exceeded] the operation timed out'), { code: 4 })
  assert.equal(abortError(AbortSignal.abort(reason), 'the call').name, 'DeadlineExceededError')
})

test('a domain error is kept, and everything else is a cancellation', () => {
  const reason = new ResourceExhaustedError('the disk is full')
  assert.equal(abortError(AbortSignal.abort(reason), 'git fetch'), reason)
  for (const other of [undefined, new Error('gone'), Object.assign(new Error('gone'), { code: 1 }), 'gone']) {
    const { name, message } = abortError(AbortSignal.abort(other), 'git fetch')
    assert.deepEqual([name, message], ['CanceledError', 'git fetch was canceled'])
  }
})
