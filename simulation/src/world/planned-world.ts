import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import { plannedForCluster } from './cluster-happenings.ts'
import type { Happening } from './happening.ts'
import {
  busyMs,
  eventfulMs,
  type PlannedApplication,
  type PlannedHappening,
  processesOf,
  type WorldPlan,
} from './plan.ts'

/** Returns the world of a seed. */
export function planWorld(seed: number): WorldPlan {
  const random = randomOf(seedFor(seed, 'plan'))
  const branches = 1 + random.below(3)
  const applications = Array.from({ length: branches + random.below(3) }, (_, index) => ({
    name: `app-${index + 1}`,
    branch: `env/${(index % branches) + 1}`,
  }))
  const shape = {
    seed,
    hydrators: 2,
    commitServers: 1 + random.below(2),
    areAllKnown: !randomOf(seedFor(seed, 'replicas')).chance(0.4),
    applications,
    isAtomic: random.chance(0.8),
    objects: random.of(['file', 'cluster'] as const),
    lineage: random.of(['latest', 'latest', 'every'] as const),
    foreignChanges: random.of(['report', 'report', 'restore'] as const),
    holdMs: 30_000,
  }
  const commits = dryCommits(random, applications)
  const faults = Array.from({ length: random.chance(0.1) ? 0 : random.below(6) }, () => ({
    at: faultTime(random, commits),
    happening: plannedFault(random, shape),
  }))
  const all = [...commits, ...faults, ...spoiledRenders(shape, commits)]
  return { ...shape, happenings: all.toSorted((a, b) => a.at - b.at) }
}

/** In some worlds, the time of a dry commit at which not everything is rendered. */
function spoiledRenders(
  { seed, lineage }: Pick<WorldPlan, 'seed' | 'lineage'>,
  commits: readonly PlannedHappening[],
): PlannedHappening[] {
  const random = randomOf(seedFor(seed, 'renders'))
  if (!random.chance(lineage === 'every' ? 0.7 : 0.2)) return []
  const happening = { kind: 'spoiled renders', rate: random.of([0.3, 0.8]), milliseconds: 1_000 } as const
  return [{ at: commits[random.below(commits.length)]?.at ?? 0, happening }]
}

/** Dry commits, some of which come while the previous one is hydrated. */
function dryCommits(random: Random, applications: readonly PlannedApplication[]): PlannedHappening[] {
  const commits: PlannedHappening[] = []
  const count = 1 + random.below(4)
  let broken: string | undefined
  let at = random.below(eventfulMs / 2)
  for (let index = 0; index < count; index++) {
    // What cannot be rendered is put right by the next one.
    const share = random.of([0, 0.3, 0.8])
    const isRevert = random.chance(0.2)
    const changes = applications.flatMap(({ name }) =>
      name === broken || random.chance(share) ? [name] : [],
    )
    const isBroken = index < count - 1 && random.chance(0.1)
    broken = isBroken ? changes[0] : undefined
    commits.push({
      at,
      happening: { kind: 'dry commit', changes, isRevert, isAnnounced: random.chance(0.7), isBroken },
    })
    at += random.below(random.chance(0.5) ? busyMs : eventfulMs / 4)
  }
  return commits
}

/** Returns a time at which something is done that a fault can disturb, or any other. */
function faultTime(random: Random, commits: readonly PlannedHappening[]): number {
  const commit = commits[random.below(commits.length)]
  return commit && random.chance(0.75) ? commit.at + random.below(busyMs) : random.below(eventfulMs)
}

/** Returns a fault that can come to a world. */
export function plannedFault(random: Random, shape: Omit<WorldPlan, 'happenings'>): Happening {
  const [first = 'hydrator-1', ...others] = processesOf(shape)
  const processes = [first, ...others] as const
  const hydrators = ['hydrator-1', 'hydrator-2'] as const
  const [one, ...more] = shape.applications
  if (!one) throw new Error('a world needs an Application')
  const { name: application, branch } = random.of([one, ...more])
  const process = random.of(processes)
  const milliseconds = random.of([500, 5_000, 40_000])
  const kinds: readonly [() => Happening, ...(() => Happening)[]] = [
    () => ({ kind: 'crash', process, afterSteps: random.below(60), downMs: random.of([0, 200, 5_000]) }),
    () => ({ kind: 'crash', process, afterSteps: random.below(60), downMs: random.of([0, 200, 5_000]) }),
    () => ({ kind: 'freeze', process, afterSteps: random.below(60), milliseconds }),
    () => ({ kind: 'freeze', process, afterSteps: random.below(60), milliseconds: 40_000 }),
    () => ({ kind: 'clock', process, milliseconds: random.of([-3_600_000, -5_000, 5_000, 3_600_000]) }),
    () => ({ kind: 'flush' }),
    () => ({ kind: 'failover' }),
    () => ({ kind: 'lost locks', process: random.of(hydrators), afterSteps: random.below(60) }),
    () => ({ kind: 'lost locks', process: random.of(hydrators), afterSteps: random.below(60) }),
    () => ({ kind: 'slow disk', process, milliseconds: random.of([500, 5_000]) }),
    () => ({ kind: 'refused login', milliseconds }),
    () => ({ kind: 'label', application }),
    () => ({ kind: 'policy', foreignChanges: random.of(['report', 'restore'] as const) }),
    () => ({ kind: 'losses', rate: random.of([0.05, 0.3]), milliseconds }),
    () => ({
      kind: 'partition',
      one: process,
      other: random.of(['git', 'redis', 'store', ...processes]),
      milliseconds,
    }),
    () => ({ kind: 'protect', branch, milliseconds }),
    () => ({ kind: 'foreign file', branch, file: random.of(['notes.txt', `${application}/notes.txt`]) }),
    () => ({ kind: 'foreign edit', branch, application }),
    () => ({ kind: 'rewind', branch }),
    () => ({ kind: 'delete branch', branch }),
    () => ({ kind: 'hard', application }),
    () => ({ kind: 'replace application', application }),
    ...(shape.objects === 'cluster' ? plannedForCluster(random) : []),
  ]
  return random.of(kinds)()
}
