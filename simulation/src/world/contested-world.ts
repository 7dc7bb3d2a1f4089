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
    const then = { process, afterSteps: random.below(40) }
    const at = random.below(900)
    const loss = { at, happening: { kind: 'lost locks', ...then } as const }
    // One that stands still does not hear that it lost its job, and goes on with what it knew.
    const freeze = { kind: 'freeze', ...then, milliseconds: random.of([500, 2_000]) } as const
    return random.chance(0.5) ? [loss, { at, happening: freeze }] : [loss]
  }).flat()
  const happenings = [...commits, ...losses].toSorted((a, b) => a.at - b.at)
  const objects = random.of(['file', 'cluster'] as const)
  return { ...calmWorld, seed, hydrators: 2, objects, applications, happenings }
}
