import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import { busyMs, calmWorld, type PlannedHappening, type WorldPlan } from './plan.ts'

/** Dry commits of a small world, each after the former one came to rest. */
const smallRounds = 20

/** Returns the small world of a seed: two hydrators, one branch, and dry commits with a crash, the first while the branch is made or after that. */
export function planSmallWorld(seed: number): WorldPlan {
  const random = randomOf(seedFor(seed, 'small'))
  const [happenings = [], ...later] = Array.from({ length: smallRounds }, () => smallRound(random))
  return { ...calmWorld, seed, hydrators: 2, holdMs: 6_000, happenings, later }
}

function smallRound(random: Random): PlannedHappening[] {
  const at = random.below(2 * busyMs)
  const process = random.of(['hydrator-1', 'hydrator-1', 'hydrator-2', 'commit-server-1'])
  const commit = { kind: 'dry commit', changes: ['app-1'], isAnnounced: true, isBroken: false } as const
  const crash = { kind: 'crash', process, afterSteps: random.below(60), downMs: 0 } as const
  return [
    { at: Math.min(at, random.below(busyMs)), happening: crash },
    { at, happening: commit },
  ]
}
