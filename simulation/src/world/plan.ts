import { type Random, randomOf, seedFor } from '../virtual/random.ts'

/** An Application of a world: it is hydrated from `apps/<name>` of `main` to `<name>` of its branch. */
export interface PlannedApplication {
  readonly name: string
  readonly branch: string
}

/** An event that comes to a world from outside. */
export type Happening =
  /** A dry commit that changes some Applications, none for one that only needs notes; a webhook may announce it. */
  | {
      readonly kind: 'dry commit'
      readonly changes: readonly string[]
      /** True if it gives what it changes the value of the last dry commit but one. */
      readonly isRevert?: boolean
      readonly isAnnounced: boolean
      readonly isBroken: boolean
    }
  /** A process is killed after some of its steps, and another one takes its place. */
  | { readonly kind: 'crash'; readonly process: string; readonly afterSteps: number; readonly downMs: number }
  /** A process does nothing for a while, after some of its steps. */
  | {
      readonly kind: 'freeze'
      readonly process: string
      readonly afterSteps: number
      readonly milliseconds: number
    }
  /** A clock is set. */
  | { readonly kind: 'clock'; readonly process: string; readonly milliseconds: number }
  /** Redis loses everything. */
  | { readonly kind: 'flush' }
  /** Another Redis takes over, to which the writes of the last second did not come. */
  | { readonly kind: 'failover' }
  /** Redis takes the jobs away from the hydrators that run them, after some steps of one of them. */
  | { readonly kind: 'lost locks'; readonly process: string; readonly afterSteps: number }
  /** Each access of a process to its disk takes a while. */
  | { readonly kind: 'slow disk'; readonly process: string; readonly milliseconds: number }
  /** The git server does not know the credentials of Wadi any more. */
  | { readonly kind: 'refused login'; readonly milliseconds: number }
  /** Messages, or the answers to them, are lost with a probability. */
  | { readonly kind: 'losses'; readonly rate: number; readonly milliseconds: number }
  | {
      readonly kind: 'partition'
      readonly one: string
      readonly other: string
      readonly milliseconds: number
    }
  /** The git server refuses to move a branch. */
  | { readonly kind: 'protect'; readonly branch: string; readonly milliseconds: number }
  /** Somebody commits a file of their own to a hydrated branch. */
  | { readonly kind: 'foreign file'; readonly branch: string; readonly file: string }
  /** Somebody changes a manifest on a hydrated branch. */
  | { readonly kind: 'foreign edit'; readonly branch: string; readonly application: string }
  /** Somebody forces a hydrated branch back to an earlier commit. */
  | { readonly kind: 'rewind'; readonly branch: string }
  | { readonly kind: 'delete branch'; readonly branch: string }
  /** An operator puts a label on an Application. */
  | { readonly kind: 'label'; readonly application: string }
  /** An operator changes the policy for changes of others. */
  | { readonly kind: 'policy'; readonly foreignChanges: WorldPlan['foreignChanges'] }
  /** A user asks for a hydration that compares everything. */
  | { readonly kind: 'hard'; readonly application: string }
  /** An Application is deleted and made again. */
  | { readonly kind: 'replace application'; readonly application: string }

/** A happening at a virtual time, in milliseconds. */
interface PlannedHappening {
  readonly at: number
  readonly happening: Happening
}

/** A world before it begins: all that is not decided while it runs. */
export interface WorldPlan {
  readonly seed: number
  readonly hydrators: number
  readonly commitServers: number
  /** False if each hydrator knows of one commit-server alone, so that several write to one repository. */
  readonly areAllKnown: boolean
  readonly applications: readonly PlannedApplication[]
  /** False for a git server that moves one ref at a time. */
  readonly isAtomic: boolean
  /** The way in which hydrators read objects: from a file, or as they hear of them from a cluster. */
  readonly reads: 'server' | 'followed'
  readonly lineage: 'latest' | 'every'
  /** The policy for changes of others. */
  readonly foreignChanges: 'report' | 'restore'
  /** The time for which a job stays with a hydrator that gives no sign of life, in milliseconds. */
  readonly holdMs: number
  readonly happenings: readonly PlannedHappening[]
}

/** The names of the processes that can crash, freeze or be parted. */
export function processesOf({
  hydrators,
  commitServers,
}: Pick<WorldPlan, 'hydrators' | 'commitServers'>): string[] {
  const numbered = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${name}-${index + 1}`)
  return [...numbered('hydrator', hydrators), ...numbered('commit-server', commitServers)]
}

/** The time in which things happen from outside, in milliseconds. */
const eventfulMs = 20_000
/** The time in which a dry commit is hydrated, if nothing disturbs that. */
const busyMs = 300

/** A world of one branch in which nothing happens. */
export const calmWorld: WorldPlan = {
  seed: 0,
  hydrators: 1,
  commitServers: 1,
  areAllKnown: true,
  applications: [{ name: 'app-1', branch: 'env/1' }],
  isAtomic: true,
  reads: 'server',
  lineage: 'latest',
  foreignChanges: 'report',
  holdMs: 30_000,
  happenings: [],
}

/** Returns the small world of a seed: two hydrators, one branch, a second dry commit while the first one is hydrated or after that, and a crash. */
export function planSmallWorld(seed: number): WorldPlan {
  const random = randomOf(seedFor(seed, 'small'))
  const at = random.below(2 * busyMs)
  const process = random.of(['hydrator-1', 'hydrator-1', 'hydrator-2', 'commit-server-1'])
  const commit = { kind: 'dry commit', changes: ['app-1'], isAnnounced: true, isBroken: false } as const
  const crash = { kind: 'crash', process, afterSteps: random.below(60), downMs: 0 } as const
  return {
    ...calmWorld,
    seed,
    hydrators: 2,
    holdMs: 6_000,
    happenings: [
      { at: Math.min(at, random.below(busyMs)), happening: crash },
      { at, happening: commit },
    ],
  }
}

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
    reads: random.of(['server', 'followed'] as const),
    lineage: random.of(['latest', 'latest', 'every'] as const),
    foreignChanges: random.of(['report', 'report', 'restore'] as const),
    holdMs: 30_000,
  }
  const commits = dryCommits(random, applications)
  const faults = Array.from({ length: random.chance(0.1) ? 0 : random.below(6) }, () => ({
    at: faultTime(random, commits),
    happening: plannedFault(random, shape),
  }))
  return { ...shape, happenings: [...commits, ...faults].toSorted((a, b) => a.at - b.at) }
}

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
  const reads = random.of(['server', 'followed'] as const)
  return { ...calmWorld, seed, hydrators: 2, reads, applications, happenings }
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
  ]
  return random.of(kinds)()
}
