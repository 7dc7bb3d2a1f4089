import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilAborted } from './until-aborted.ts'

const pending = new Promise<never>(() => undefined)

test('without an abort the result or the failure of the promise comes through', async () => {
  for (const signal of [undefined, new AbortController().signal]) {
    assert.equal(await untilAborted(Promise.resolve('done'), signal), 'done')
    await assert.rejects(untilAborted(Promise.reject(new Error('broken')), signal), { message: 'broken' })
  }
})

test('an abort ends the waiting with the reason of the signal', async () => {
  const controller = new AbortController()
  const waiting = untilAborted(pending, controller.signal)
  controller.abort(new Error('the caller went away'))
  await assert.rejects(waiting, { message: 'the caller went away' })
})

test('an abort of named work ends the waiting with a domain error', async () => {
  const waiting = untilAborted(pending, AbortSignal.abort(), 'the call')
  await assert.rejects(waiting, { name: 'CanceledError', message: 'the call was canceled' })
})

test('an earlier abort comes before a result or a failure that is there already', async () => {
  const signal = AbortSignal.abort(new Error('gone'))
  await assert.rejects(untilAborted(Promise.resolve('done'), signal), { message: 'gone' })
  // A failure that nobody waits for would end the process.
  await assert.rejects(untilAborted(Promise.reject(new Error('broken')), signal), { message: 'gone' })
})
