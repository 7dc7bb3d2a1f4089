import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

test('wait refreshes the dry repository first, reports each state and survives the end of a stream', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrating', dry: '1' }))
  gateway.comingStates.push(
    sampleApplication('a', { phase: 'Hydrating', dry: '2', startedAt: '2026-08-20T11:00:00Z' }),
    sampleApplication('a', { phase: 'Hydrated', dry: '2', startedAt: '2026-08-20T11:00:00Z' }),
  )
  const { stdout, stderr, code } = await runWadi(['app', 'wait', 'a', '--hydrated'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, code], ['', 0])
  assert.equal(stderr, 'a: Hydrating 1111111\na: Hydrating 2222222\na: Hydrated 2222222 as aaaaaaa\n')
  const methods = gateway.calls.map(({ method }) => method)
  assert.deepEqual(methods, ['GetApplication', 'WatchApplications', 'WatchApplications'])
})

test('the end of the time is exit code 20 with the last state', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrating', dry: '1' }))
  const { stderr, code } = await runWadi(['app', 'wait', 'a', '--timeout', '1'], {
    environment: gateway.environment,
  })
  assert.equal(code, 20)
  assert.match(
    stderr,
    /^FATA\[\d+\] timed out after 1 s \(a: Hydrating 1111111\); --timeout sets another limit$/m,
  )
})

test('a failure from before the wait is waited out, a new one ends it', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set(
    'a',
    sampleApplication('a', { phase: 'Failed', dry: '1', message: 'old error', pending: true }),
  )
  gateway.comingStates.push(
    sampleApplication('a', {
      phase: 'Failed',
      dry: '2',
      startedAt: '2026-08-20T12:00:00Z',
      message: 'new error',
    }),
  )
  const { stderr, code } = await runWadi(['app', 'wait', 'a'], { environment: gateway.environment })
  assert.equal(code, 20)
  assert.match(stderr, /^a: Failed: old error\na: Failed: new error\n/)
  assert.match(stderr, /^FATA\[\d+\] application 'a' failed to hydrate: new error$/m)
})

test('hydrate --wait does not take the success from before for the answer', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrated', dry: '1', pending: true }))
  gateway.comingStates.push(
    sampleApplication('a', { phase: 'Hydrated', dry: '2', startedAt: '2026-08-20T12:00:00Z' }),
  )
  const { stdout, stderr, code } = await runWadi(['app', 'hydrate', 'a', '--wait'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, code], ["application 'a' hydration requested\n", 0])
  assert.equal(stderr, 'a: Hydrated 1111111 as aaaaaaa\na: Hydrated 2222222 as aaaaaaa\n')
})

test('hydrate --wait ends when there was nothing to do, and fails when the request changed nothing', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrated', dry: '1', pending: true }))
  gateway.comingStates.push(sampleApplication('a', { phase: 'Hydrated', dry: '1' }))
  const done = await runWadi(['app', 'hydrate', 'a', '--wait'], { environment })
  assert.deepEqual([done.stderr, done.code], ['a: Hydrated 1111111 as aaaaaaa\n', 0])
  gateway.applications.set(
    'a',
    sampleApplication('a', { phase: 'Failed', dry: '1', message: 'held', pending: true }),
  )
  gateway.comingStates.push(sampleApplication('a', { phase: 'Failed', dry: '1', message: 'held' }))
  const held = await runWadi(['app', 'hydrate', 'a', '--wait'], { environment })
  assert.equal(held.code, 20)
  assert.match(held.stderr, /^FATA\[\d+\] application 'a' failed to hydrate: held$/m)
})
