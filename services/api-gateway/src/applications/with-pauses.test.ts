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
  const told: (number | undefined)[] = []
  for await (const event of withPauses(events(), 1)) {
    told.push(event)
    if (event === undefined) release.resolve()
  }
  assert.deepEqual(
    told.filter((event) => event !== undefined),
    [1, 2, 3],
  )
  assert.equal(told.indexOf(undefined), 2)
})

test('what the events throw is thrown', async () => {
  async function* events() {
    yield 1
    throw new Error('the store is gone')
  }
  const told: (number | undefined)[] = []
  await assert.rejects(async () => {
    for await (const event of withPauses(events(), 10_000)) told.push(event)
  }, /the store is gone/)
  assert.deepEqual(told, [1])
})
