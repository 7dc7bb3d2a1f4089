// Own process: a world has its own clocks and timers in the place of Node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planSets } from './planned-sets.ts'
import { liveSets } from './sets-world.ts'

/** So many take a few seconds; `npm run simulate -- --sets` tries any number. */
const seeds = 60

test(`in the worlds of sets of seeds 1 to ${seeds}, nothing happens that must not`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { problems } = await liveSets(planSets(seed))
    assert.deepEqual(problems, [], `npm run simulate -- --sets --seed ${seed} --story`)
  }
})
