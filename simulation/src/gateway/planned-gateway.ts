import { type ClusterHappening, plannedForCluster } from '../world/cluster-happenings.ts'
import { type Random, randomOf, seedFor } from '../virtual/random.ts'

export const users = ['anna', 'paul'] as const
export const projects = ['dev', 'prod'] as const
export const applications = ['app-1', 'app-2', 'app-3'] as const
export const gateways = ['gateway-1', 'gateway-2'] as const

type User = (typeof users)[number]
export type Project = (typeof projects)[number]

/** A thing that a user asks a gateway to do. */
type Action =
  /** Creates an Application, or replaces the one that is there. */
  | {
      readonly kind: 'create'
      readonly project: Project
      readonly upsert: boolean
      readonly validate: boolean
    }
  /** Replaces one; the one that the user read, or whatever is stored. */
  | {
      readonly kind: 'update'
      readonly project: Project
      readonly isSeen: boolean
      readonly validate: boolean
    }
  /** Creates or replaces this one and another one at once. */
  | { readonly kind: 'apply'; readonly project: Project; readonly with: string }
  | { readonly kind: 'delete'; readonly isSeen: boolean }
  | { readonly kind: 'label'; readonly isSeen: boolean }
  | { readonly kind: 'move'; readonly isSeen: boolean }
  /** Sets a parameter with a dry commit; as a review showed it, or on whatever is there. */
  | { readonly kind: 'set'; readonly isSeen: boolean }
  /** Goes back to the first dry commit. */
  | { readonly kind: 'restore'; readonly isSeen: boolean }

/** A request of a user: it reads what it names as seen, thinks for a while, and asks. */
export interface UserRequest {
  readonly user: User
  readonly gateway: string
  readonly application: string
  readonly action: Action
  readonly thinkMs: number
}

/** An event that comes to a world of gateways from outside. */
export type GatewayHappening =
  | ({ readonly kind: 'request' } & UserRequest)
  /** An operator gives a user the rights of a project, or takes them away. */
  | { readonly kind: 'rights'; readonly user: User; readonly project: Project; readonly has: boolean }
  /** An operator lets a project have the destination of all Applications, or none. */
  | { readonly kind: 'rules'; readonly project: Project; readonly isOpen: boolean }
  /** An operator puts an Application into a project, past the gateway. */
  | { readonly kind: 'edit'; readonly application: string; readonly project: Project }
  /** An operator deletes an Application, past the gateway. */
  | { readonly kind: 'removal'; readonly application: string }
  /** Somebody commits another value to the dry branch. */
  | { readonly kind: 'dry commit'; readonly application: string }
  | { readonly kind: 'crash'; readonly process: string; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly process: string; readonly milliseconds: number }
  | { readonly kind: 'losses'; readonly rate: number; readonly milliseconds: number }
  | {
      readonly kind: 'partition'
      readonly process: string
      readonly from: string
      readonly milliseconds: number
    }
  | ClusterHappening

/** A world of gateways before it begins. */
export interface GatewayPlan {
  readonly seed: number
  readonly objects: 'file' | 'cluster'
  readonly happenings: readonly { readonly at: number; readonly happening: GatewayHappening }[]
}

const maxPauseMs = 15_000

/** Returns the world of gateways of a seed. */
export function planGateway(seed: number): GatewayPlan {
  const random = randomOf(seedFor(seed, 'gateway'))
  const objects = random.of(['file', 'cluster'] as const)
  const isStill = random.chance(0.3)
  const count = 4 + random.below(12)
  let at = 2_000
  const happenings = Array.from({ length: count }, () => {
    at += random.chance(0.7) ? random.below(30) : random.below(maxPauseMs)
    return { at, happening: isStill ? request(random) : happening(random, objects) }
  })
  return { seed, objects, happenings }
}

function happening(random: Random, objects: GatewayPlan['objects']): GatewayHappening {
  const [user, project, application] = [random.of(users), random.of(projects), random.of(applications)]
  const process = random.of([...gateways, 'commit-server-1'] as const)
  const milliseconds = random.of([200, 2_000, 12_000])
  if (random.chance(0.45)) return request(random)
  return random.of<() => GatewayHappening>([
    () => ({ kind: 'rights', user, project, has: random.chance(0.5) }),
    () => ({ kind: 'rules', project, isOpen: random.chance(0.5) }),
    () => ({ kind: 'edit', application, project }),
    () => ({ kind: 'edit', application, project }),
    () => ({ kind: 'removal', application }),
    () => ({ kind: 'dry commit', application }),
    () => ({ kind: 'dry commit', application }),
    () => ({ kind: 'crash', process, downMs: random.of([0, 500, 5_000]) }),
    () => ({ kind: 'freeze', process, milliseconds }),
    () => ({ kind: 'losses', rate: random.of([0.05, 0.3]), milliseconds }),
    () => ({ kind: 'partition', process, from: random.of(['store', 'git', 'repo-server']), milliseconds }),
    ...(objects === 'cluster' ? plannedForCluster(random) : []),
  ])()
}

function request(random: Random): GatewayHappening {
  const [project, isSeen, validate] = [random.of(projects), random.chance(0.5), random.chance(0.4)]
  const [application, ...others] = shuffled(random)
  const action = random.of<() => Action>([
    () => ({ kind: 'create', project, upsert: random.chance(0.6), validate }),
    () => ({ kind: 'update', project, isSeen, validate }),
    () => ({ kind: 'update', project, isSeen, validate }),
    () => ({ kind: 'apply', project, with: others[0] }),
    () => ({ kind: 'delete', isSeen }),
    () => ({ kind: 'label', isSeen }),
    () => ({ kind: 'move', isSeen }),
    () => ({ kind: 'set', isSeen }),
    () => ({ kind: 'set', isSeen }),
    () => ({ kind: 'restore', isSeen }),
  ])()
  const thinkMs = random.chance(0.7) ? random.below(20) : random.below(3_000)
  return {
    kind: 'request',
    user: random.of(users),
    gateway: random.of(gateways),
    application,
    action,
    thinkMs,
  }
}

function shuffled(random: Random): readonly [string, string] {
  const first = random.below(applications.length)
  const second = (first + 1 + random.below(applications.length - 1)) % applications.length
  return [applications[first] ?? applications[0], applications[second] ?? applications[1]]
}
