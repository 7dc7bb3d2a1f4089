import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import type { Happening } from '../world/happening.ts'
import type { WorldPlan } from '../world/plan.ts'
import { plannedFault, planWorld } from '../world/planned-world.ts'

/** Returns the world of a seed such as `7`, or of one with variations such as `7.12.3`. */
export function plannedBy(seed: string): WorldPlan {
  const [base = 0, ...variations] = seed.split('.').map(Number)
  return variations.reduce(varied, planWorld(base))
}

/** Returns a plan that differs a little. */
function varied(plan: WorldPlan, variation: number): WorldPlan {
  const random = randomOf(seedFor(plan.seed, `variation ${variation}`))
  const hasOtherOrder = random.chance(0.5)
  const happenings = variedHappenings(plan, random).toSorted((a, b) => a.at - b.at)
  return { ...plan, ...(hasOtherOrder && { seed: seedFor(plan.seed, `order ${variation}`) }), happenings }
}

function variedHappenings(plan: WorldPlan, random: Random): WorldPlan['happenings'] {
  const { happenings } = plan
  const index = random.below(happenings.length)
  const one = happenings[index]
  if (!one) return happenings
  const change = random.below(4)
  if (change === 0)
    return [...happenings, { at: near(one.at, random), happening: plannedFault(random, plan) }]
  if (change === 1) return happenings.with(index, { ...one, at: near(one.at, random) })
  if (change === 2) return happenings.with(index, { ...one, happening: soonerOrLater(one.happening, random) })
  return one.happening.kind === 'dry commit' ? happenings : happenings.toSpliced(index, 1)
}

function near(at: number, random: Random): number {
  return Math.max(0, at + random.below(300) - 100)
}

function soonerOrLater(happening: Happening, random: Random): Happening {
  if (!('afterSteps' in happening)) return happening
  return { ...happening, afterSteps: Math.max(0, happening.afterSteps + random.below(11) - 5) }
}
