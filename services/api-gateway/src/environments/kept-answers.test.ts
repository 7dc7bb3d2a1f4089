import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepAnswers } from './kept-answers.ts'

test('those who ask the same share an answer until it is forgotten', async () => {
  const kept = keepAnswers<{ looks: number }>(10, 60_000)
  let looks = 0
  const look = () => kept.ask('branch', async () => ({ looks: ++looks }))
  assert.deepEqual(await Promise.all([look(), look()]), [{ looks: 1 }, { looks: 1 }])
  kept.forget()
  assert.deepEqual(await look(), { looks: 2 })
})

test('who waits for an answer gets it although it is forgotten, and nobody after', async () => {
  const kept = keepAnswers<{ head: string }>(10, 60_000)
  const old = Promise.withResolvers<{ head: string }>()
  const waiting = kept.ask('branch', () => old.promise)
  kept.forget()
  old.resolve({ head: 'before' })
  assert.deepEqual(await waiting, { head: 'before' })
  assert.deepEqual(await kept.ask('branch', async () => ({ head: 'after' })), { head: 'after' })
})
