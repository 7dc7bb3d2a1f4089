import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workAhead } from './work-ahead.ts'

/** Work that ends when it is allowed to, and what has begun of it. */
function recorded() {
  const begun: number[] = []
  const work = async (item: number): Promise<string> => {
    begun.push(item)
    if (item < 0) throw new Error(`no ${item}`)
    return `answer ${item}`
  }
  return { begun, work }
}

test('the first items are begun at once, and one more for each that is asked for', async () => {
  const { begun, work } = recorded()
  const ask = workAhead([1, 2, 3, 4], 2, work)
  assert.deepEqual(begun, [1, 2])
  assert.equal(await ask(1), 'answer 1')
  assert.deepEqual(begun, [1, 2, 3])
  assert.equal(await ask(2), 'answer 2')
  assert.equal(await ask(3), 'answer 3')
  assert.equal(await ask(4), 'answer 4')
  assert.deepEqual(begun, [1, 2, 3, 4])
})

test('an item that was not begun is begun when it is asked for, and no item twice', async () => {
  const { begun, work } = recorded()
  const ask = workAhead([1, 2, 3, 4], 1, work)
  assert.equal(await ask(3), 'answer 3')
  assert.deepEqual(begun, [1, 3])
  for (const item of [1, 2, 4]) assert.equal(await ask(item), `answer ${item}`)
  assert.deepEqual(begun, [1, 3, 2, 4])
})

test('what fails ahead fails the one who asks for it, and nobody else', async () => {
  const { work } = recorded()
  const ask = workAhead([-1, 2], 2, work)
  assert.equal(await ask(2), 'answer 2')
  await assert.rejects(ask(-1), { message: 'no -1' })
})
