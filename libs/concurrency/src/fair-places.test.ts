import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CanceledError } from '@wadi/errors/domain-error.ts'
import { FairPlaces } from './fair-places.ts'

const lane = (tenant: string) => ({ tenant, part: '', weight: 1 })

test('a place that is freed goes to the tenant who had fewer', async () => {
  const places = new FairPlaces(1, 'work')
  const held = await places.take(lane('a'))
  const taken: string[] = []
  const work = async (tenant: string) => {
    using _ = await places.take(lane(tenant))
    taken.push(tenant)
  }
  const all = ['a', 'a', 'a', 'b'].map(work)
  held[Symbol.dispose]()
  await Promise.all(all)
  assert.deepEqual(taken, ['b', 'a', 'a', 'a'])
})

test('who gives up takes no place from the others, and none is lost', async () => {
  const places = new FairPlaces(1, 'work')
  const held = await places.take(lane('a'))
  const caller = new AbortController()
  const gone = places.take(lane('a'), caller.signal)
  const waiting = places.take(lane('a'))
  caller.abort()
  await assert.rejects(gone, CanceledError)
  held[Symbol.dispose]()
  const place = await waiting
  place[Symbol.dispose]()
  await assert.rejects(places.take(lane('a'), AbortSignal.abort()), CanceledError)
  using _ = await places.take(lane('a'))
})
