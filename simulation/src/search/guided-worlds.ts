import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import type { WorldEnd } from '../world/live-in-world.ts'
import { liveWorld } from '../world/world.ts'
import { Coverage } from './coverage.ts'
import { plannedBy } from './varied-plan.ts'

/** A world that was tried. */
export interface TriedWorld {
  /** The seed, or the seed and the numbers of the variations that led to it, joined by dots. */
  readonly seed: string
  readonly end: WorldEnd
  /** The number of pairs of steps and faults that were seen so far. */
  readonly pairs: number
}

/** The share of worlds that vary one that showed something new. */
const variedShare = 0.7
const maxKept = 2_000

/** Tries worlds, many of which vary those before them that showed a pair of step and fault, or of steps, for the first time. */
export async function* guidedWorlds({
  from,
  count,
}: {
  readonly from: number
  readonly count: number
}): AsyncGenerator<TriedWorld> {
  const random = randomOf(seedFor(from, 'guide'))
  const coverage = new Coverage()
  const kept: string[] = []
  let next = from
  for (let tried = 1; tried <= count; tried++) {
    const varied = random.chance(variedShare) ? recentOf(kept, random) : undefined
    const seed = varied === undefined ? String(next++) : `${varied}.${tried}`
    const before = coverage.size
    const end = await liveWorld(plannedBy(seed), coverage.observer())
    if (coverage.size > before && kept.push(seed) > maxKept) kept.shift()
    yield { seed, end, pairs: coverage.size }
  }
}

/** Returns one of the seeds; the later ones more often. */
function recentOf(seeds: readonly string[], random: Random): string | undefined {
  return seeds[Math.floor(seeds.length * Math.max(random.next(), random.next()))]
}
