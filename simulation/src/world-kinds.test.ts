// Own process: a world has its own clocks and timers in the place of Node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worldOf } from './world-kinds.ts'

/** So many take a second each; `npm run simulate` tries any number. */
const seeds = { gateway: 20, promoted: 6, contested: 15 } as const

for (const kind of ['gateway', 'promoted', 'contested'] as const) {
  test(`in the ${kind} worlds of seeds 1 to ${seeds[kind]}, nothing happens that must not`, async () => {
    for (let seed = 1; seed <= seeds[kind]; seed++) {
      const { problems } = await worldOf(String(seed), kind).live()
      assert.deepEqual(problems, [], `npm run simulate -- --${kind} --seed ${seed} --story`)
    }
  })
}
