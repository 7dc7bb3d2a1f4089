import type { Happening } from './happening.ts'

/** An Application of a world: it is hydrated from `apps/<name>` of `main` to `<name>` of its branch. */
export interface PlannedApplication {
  readonly name: string
  readonly branch: string
  /** The branch that its branch is promoted to by pull requests, and who merges those; undefined for one that is deployed directly. */
  readonly promotion?: { readonly base: string; readonly policy: 'open' | 'merge' }
}

/** A happening at a virtual time, in milliseconds. */
export interface PlannedHappening {
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
  /** The place of the objects: a file that all hydrators have, or a cluster that they hear of. */
  readonly objects: 'file' | 'cluster'
  readonly lineage: 'latest' | 'every'
  /** The policy for changes of others. */
  readonly foreignChanges: 'report' | 'restore'
  /** The time for which a job stays with a hydrator that gives no sign of life, in milliseconds. */
  readonly holdMs: number
  readonly happenings: readonly PlannedHappening[]
  /** Happenings of further rounds, each of which begins once the world is at rest; none by default. */
  readonly later?: readonly (readonly PlannedHappening[])[]
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

/** A world in which nothing happens, that does all that any other does. */
export function warmUpWorld(): WorldPlan {
  const promotion = { base: 'env/2', policy: 'merge' } as const
  const promoted = { name: 'app-2', branch: 'env/2-next', promotion }
  return { ...calmWorld, applications: [...calmWorld.applications, promoted] }
}

/** A world of one branch in which nothing happens. */
export const calmWorld: WorldPlan = {
  seed: 0,
  hydrators: 1,
  commitServers: 1,
  areAllKnown: true,
  applications: [{ name: 'app-1', branch: 'env/1' }],
  isAtomic: true,
  objects: 'file',
  lineage: 'latest',
  foreignChanges: 'report',
  holdMs: 30_000,
  happenings: [],
}

/** The time in which things happen from outside, in milliseconds. */
export const eventfulMs = 20_000
/** The time in which a dry commit is hydrated, if nothing disturbs that. */
export const busyMs = 300
