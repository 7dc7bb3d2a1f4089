import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPauses } from './with-pauses.ts'

test('events come in order, pauses come between them, and the end is the end', async () => {
  const release = Promise.withResolvers<void>()
  async function* events() {
    yield 1
    yield 2
    await release.promise
    yield 3
  }
  const reported: (number | undefined)[] = []
  for await (const event of withPauses(events(), 1)) {
    reported.push(event)
    if (event === undefined) release.resolve()
  }
  assert.deepEqual(
    reported.filter((event) => event !== undefined),
    [1, 2, 3],
  )
  assert.equal(reported.indexOf(undefined), 2)
})

test('what the events throw is thrown', async () => {
  async function* events() {
    yield 1
    throw new Error('the store is gone')
  }
  const reported: (number | undefined)[] = []
  await assert.rejects(async () => {
    for await (const event of withPauses(events(), 10_000)) reported.push(event)
  }, /the store is gone/)
  assert.deepEqual(reported, [1])
})
