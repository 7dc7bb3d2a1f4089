// Own process: a world has its own clocks and timers in the place of Node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveWorld } from '../world/world.ts'
import { allSchedules } from './all-orders.ts'
import { guidedWorlds } from './guided-worlds.ts'
import { plannedBy } from './varied-plan.ts'

test('the second dry commit of the small world comes at each time at which something happens', async () => {
  const times: number[] = []
  for await (const { schedule, end } of allSchedules(0)) {
    times.push(schedule.commitAt)
    assert.deepEqual(end.problems, [], JSON.stringify(schedule))
  }
  assert.ok(times.length > 5)
})

test('each schedule of the small world is tried once, with a crash or a step that overtakes others', async () => {
  const tried = new Set<string>()
  const kinds = new Set<string>()
  for await (const { schedule, end } of allSchedules(1)) {
    const text = JSON.stringify(schedule)
    assert.deepEqual(end.problems, [], text)
    assert.equal(tried.has(text), false, text)
    tried.add(text)
    kinds.add(schedule.crash ? 'crash' : `${schedule.overtakings.length} overtakings`)
    if (tried.size === 60) break
  }
  assert.deepEqual(kinds, new Set(['0 overtakings', '1 overtakings']))
})

test('a guided world has a seed that it can be lived by again', async () => {
  const worlds = []
  for await (const { seed, end } of guidedWorlds({ from: 1, count: 12 })) worlds.push({ seed, end })
  const varied = worlds.find(({ seed }) => seed.includes('.'))
  assert.ok(varied)
  assert.deepEqual(await liveWorld(plannedBy(varied.seed)), varied.end)
})
