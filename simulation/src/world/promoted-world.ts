import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import type { Happening } from './happening.ts'
import { eventfulMs, type PlannedApplication, type WorldPlan } from './plan.ts'
import { planWorld } from './planned-world.ts'

/** Returns the world of a seed whose branches are promoted by pull requests. */
export function planPromotedWorld(seed: number): WorldPlan {
  const random = randomOf(seedFor(seed, 'promoted'))
  const world = planWorld(seed)
  const policies = new Map<string, 'open' | 'merge'>()
  const applications = world.applications.map(({ name, branch }) => {
    const policy = policies.get(branch) ?? random.of(['open', 'merge'] as const)
    policies.set(branch, policy)
    return { name, branch: `${branch}-next`, promotion: { base: branch, policy } }
  })
  const happenings = world.happenings.map(({ at, happening }) => {
    const isOfBranch = 'branch' in happening
    return { at, happening: isOfBranch ? { ...happening, branch: `${happening.branch}-next` } : happening }
  })
  const more = Array.from({ length: 1 + random.below(4) }, () => ({
    at: random.below(eventfulMs + 10_000),
    happening: plannedForForge(random, applications),
  }))
  const all = [...happenings, ...more].toSorted((a, b) => a.at - b.at)
  return { ...world, applications, happenings: all }
}

function plannedForForge(random: Random, applications: readonly PlannedApplication[]): Happening {
  const [one, ...others] = applications
  if (!one) throw new Error('a world needs an Application')
  const { branch } = random.of([one, ...others])
  const milliseconds = random.of([500, 5_000, 40_000])
  return random.of<() => Happening>([
    () => ({ kind: 'failing forge', rate: random.of([0.3, 1]), milliseconds }),
    () => ({ kind: 'limited forge', milliseconds }),
    () => ({ kind: 'pull request', branch, change: 'merge' }),
    () => ({ kind: 'pull request', branch, change: 'close' }),
    () => ({ kind: 'pull request', branch, change: 'reopen' }),
    () => ({ kind: 'partition', one: 'commit-server-1', other: 'forge', milliseconds }),
  ])()
}
