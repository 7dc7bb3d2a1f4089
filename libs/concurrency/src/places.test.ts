import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CanceledError } from '@wadi/errors/domain-error.ts'
import { Places } from './places.ts'

test('as many as there are places go on, and the next one when a place is freed', async () => {
  const places = new Places(2, 'work')
  const first = await places.take()
  await places.take()
  let isThird = false
  const third = places.take().then(() => {
    isThird = true
  })
  await new Promise(setImmediate)
  assert.equal(isThird, false)
  first[Symbol.dispose]()
  await third
})

test('places are full while all are taken', async () => {
  const places = new Places(1, 'work')
  assert.equal(places.isFull, false)
  const place = await places.take()
  assert.equal(places.isFull, true)
  place[Symbol.dispose]()
  await new Promise(setImmediate)
  assert.equal(places.isFull, false)
})

test('who gives up while waiting takes no place from the others', async () => {
  const places = new Places(1, 'work')
  const held = await places.take()
  const caller = new AbortController()
  const gone = places.take(caller.signal)
  const waiting = places.take()
  caller.abort()
  await assert.rejects(gone, CanceledError)
  held[Symbol.dispose]()
  const place = await waiting
  place[Symbol.dispose]()
})
