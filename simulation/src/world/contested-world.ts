import { randomOf, seedFor } from '../virtual/random.ts'
import { busyMs, calmWorld, type WorldPlan } from './plan.ts'

/** Returns a world of one branch whose hydrators lose their jobs to each other while dry commits come, which change little or are reverted. */
export function planContestedWorld(seed: number): WorldPlan {
  const random = randomOf(seedFor(seed, 'contested'))
  const applications = calmWorld.applications
  const commits = Array.from({ length: 2 + random.below(3) }, (_, index) => ({
    at: 200 + index * 150 + random.below(busyMs),
    happening: {
      kind: 'dry commit',
      changes: random.chance(0.4) ? [] : ['app-1'],
      isRevert: random.chance(0.5),
      isAnnounced: true,
      isBroken: false,
    } as const,
  }))
  const losses = Array.from({ length: 2 + random.below(3) }, () => {
    const process = random.of(['hydrator-1', 'hydrator-2'])
    const happening = { kind: 'lost locks', process, afterSteps: random.below(40) } as const
    return { at: random.below(900), happening }
  })
  const happenings = [...commits, ...losses].toSorted((a, b) => a.at - b.at)
  const objects = random.of(['file', 'cluster'] as const)
  return { ...calmWorld, seed, hydrators: 2, objects, applications, happenings }
}
