import type { Resource } from '@wadi/resources/resource.ts'

/** How far a run is; the names are Argo CD's. */
export type HydrationPhase = 'Hydrating' | 'Hydrated' | 'Failed'

/** What is wrong with one Application of a failed group. */
export interface ApplicationFailure {
  /** `namespace/name`. */
  application: string
  message: string
}

/** The newest run of one group: the Applications with one dry repository and revision on one hydrated branch. */
export interface GroupStatus {
  /** The dry repository as its members spell it. */
  repoURL: string
  targetRevision: string
  phase: HydrationPhase
  /** What went wrong for all members; empty otherwise. */
  message: string
  /** Faults of single members; then every other member waits for them. */
  failures: ApplicationFailure[]
  /** RFC 3339. */
  startedAt: string
  /** RFC 3339; absent while the run goes on. */
  finishedAt?: string
  /** The dry commit that the run was for; absent when it could not be resolved. */
  drySha?: string
  /** The newest success; kept over failures. */
  success?: GroupSuccess
}

/** What a successful run left behind. */
interface GroupSuccess {
  drySha: string
  /** Head of the hydrated branch after the run. */
  hydratedSha: string
  /** Digest of the members and their specs that were hydrated. */
  members: string
  /** Digest of the operator's settings that decide the output, renderer versions among them. */
  settings: string
  finishedAt: string
}

/** The record of a hydrated branch: what the newest run of each of its groups did. */
export interface HydratedBranchStatus {
  groups: GroupStatus[]
  /** Number of Applications on the branch. */
  applications: number
  /** Number of sources that the newest run rendered. */
  rendered: number
  /** How long the newest run took. */
  milliseconds: number
}

/** A `HydratedBranch` object, read. */
export interface HydratedBranch {
  repoURL: string
  branch: string
  /** AppProject of all its Applications when they share one, whose credentials then count; empty otherwise. */
  project: string
  status: HydratedBranchStatus
}

/** Reads a stored `HydratedBranch`; its writer is the hydrator alone, so the shape is taken as it is. */
export function readHydratedBranch(resource: Resource): HydratedBranch {
  const {
    repoURL,
    branch,
    project = '',
  } = resource.spec as { repoURL: string; branch: string; project?: string }
  const status = resource.status as HydratedBranchStatus | undefined
  return {
    repoURL,
    branch,
    project,
    status: status ?? { groups: [], applications: 0, rendered: 0, milliseconds: 0 },
  }
}
