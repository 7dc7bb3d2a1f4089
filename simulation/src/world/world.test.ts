// Own process: a world has its own clocks and timers in the place of Node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveWorld } from './world.ts'
import type { WorldPlan } from './plan.ts'
import { planWorld } from './planned-world.ts'
import { shrinkPlan } from './shrink-plan.ts'

/** So many take some seconds; `npm run simulate` tries any number. */
const seeds = 25

async function storyOf(seed: number): Promise<string[]> {
  const story: string[] = []
  const end = await liveWorld(planWorld(seed), (...event) => story.push(event.join(' ')))
  return [...story, JSON.stringify(end)]
}

test(`in the worlds of seeds 1 to ${seeds}, nothing happens that must not`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { problems } = await liveWorld(planWorld(seed))
    assert.deepEqual(problems, [], `npm run simulate -- --seed ${seed} --story --shrink`)
  }
})

test('a seed has one story, whatever was told before', async () => {
  const stories = [await storyOf(3), await storyOf(4), await storyOf(3)]
  assert.ok(stories[0] && stories[0].length > 500)
  assert.deepEqual(stories[2], stories[0])
  assert.notDeepEqual(stories[1], stories[0])
})

test('a failure is shrunk to the happenings that it needs', async () => {
  const needed = ['flush', 'rewind']
  const kindsOf = ({ happenings }: WorldPlan) => happenings.map(({ happening }) => happening.kind)
  const fails = async (plan: WorldPlan) =>
    needed.every((kind) => kindsOf(plan).some((found) => found === kind))
  const others = planWorld(1).happenings
  const flush = { at: 5, happening: { kind: 'flush' } } as const
  const rewind = { at: 9, happening: { kind: 'rewind', branch: 'env/1' } } as const
  const plan = { ...planWorld(1), happenings: [...others, flush, ...others, rewind, ...others] }
  assert.deepEqual(kindsOf(await shrinkPlan(plan, fails)), needed)
})
