import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CanceledError, DeadlineExceededError } from '@wadi/errors/domain-error.ts'
import { beforeDeadline, whileAwaited } from './caller-deadline.ts'

test('a run ends 100 ms before its caller stops waiting', (context) => {
  const { signal } = new AbortController()
  const timeout = context.mock.method(AbortSignal, 'timeout')
  for (const [left, expected] of [
    [2_000, 1_900],
    [100.5, 0],
    [20, 0],
  ] as const) {
    beforeDeadline({ signal, timeoutMs: () => left })
    assert.deepEqual(timeout.mock.calls.at(-1)?.arguments, [expected])
  }
  assert.equal(beforeDeadline({ signal, timeoutMs: () => undefined }), signal)
  assert.equal(timeout.mock.callCount(), 3)
})

test('a command that does not end is left 40 ms after the end of its run', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [reason, error] of [
    [new DOMException('late', 'TimeoutError'), DeadlineExceededError],
    [new DOMException('gone', 'AbortError'), CanceledError],
  ] as const) {
    const end = new AbortController()
    const { promise: running } = Promise.withResolvers<string>()
    const failures: unknown[] = []
    const left = whileAwaited(running, end.signal, '`sleep`').catch((failure: unknown) =>
      failures.push(failure),
    )
    end.abort(reason)
    context.mock.timers.tick(39)
    await new Promise(setImmediate)
    assert.equal(failures.length, 0)
    context.mock.timers.tick(1)
    await left
    assert.ok(failures[0] instanceof error)
  }
})

test('a command that ends by itself after the end of its run has its own outcome', async () => {
  const { promise: running, resolve } = Promise.withResolvers<string>()
  const awaited = whileAwaited(running, AbortSignal.abort(), '`sleep`')
  resolve('done')
  assert.equal(await awaited, 'done')
})
