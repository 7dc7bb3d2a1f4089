import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyedLock } from './keyed-lock.ts'

test('work of one key come one after the other, also after one that fails', async () => {
  const lock = createKeyedLock()
  const reported: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const first = lock.run('a', async () => {
    reported.push('first begins')
    await gate
    reported.push('first ends')
    throw new Error('failed')
  })
  const second = lock.run('a', async () => {
    reported.push('second')
    return 2
  })
  await lock.run('b', async () => {
    reported.push('other key')
  })
  open()
  await assert.rejects(first, /failed/)
  assert.equal(await second, 2)
  assert.deepEqual(reported, ['first begins', 'other key', 'first ends', 'second'])
})
