import { type Random, randomOf, seedFor } from '../virtual/random.ts'
import type { ClusterHappening } from '../world/cluster-happenings.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** The project that each user may have Applications in. */
export const projectOf = { anna: 'dev', paul: 'prod' } as const

/** A user of a world of sets. */
type SetUser = keyof typeof projectOf

/** An event that comes to a world of sets from outside. */
export type SetHappening =
  /** A user applies the set with so many Applications, on a replica; the one that was there some time before, or whatever is stored. */
  | {
      readonly kind: 'apply'
      readonly user: SetUser
      readonly size: number
      readonly replica: string
      readonly seenMs: number | undefined
    }
  /** An operator changes the set in the store, past the service. */
  | { readonly kind: 'edit'; readonly project: string; readonly size: number }
  | { readonly kind: 'crash'; readonly replica: string; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly replica: string; readonly milliseconds: number }
  | { readonly kind: 'losses'; readonly rate: number; readonly milliseconds: number }
  | { readonly kind: 'partition'; readonly replica: string; readonly milliseconds: number }
  | ClusterHappening

/** A world of sets before it begins. */
export interface SetsPlan {
  readonly seed: number
  /** The place of the objects: a file, or a cluster. */
  readonly objects: 'file' | 'cluster'
  readonly happenings: readonly { readonly at: number; readonly happening: SetHappening }[]
}

export const replicas = ['appset-service-1', 'appset-service-2'] as const

const eventfulMs = 20_000

/** Returns the world of sets of a seed. */
export function planSets(seed: number): SetsPlan {
  const random = randomOf(seedFor(seed, 'sets'))
  const count = 2 + random.below(7)
  let at = 500
  const happenings = Array.from({ length: count }, () => {
    at += random.chance(0.6) ? random.below(600) : random.below(eventfulMs / 4)
    return { at, happening: happening(random) }
  })
  return { seed, objects: random.of(['file', 'cluster'] as const), happenings }
}

function happening(random: Random): SetHappening {
  const replica = random.of(replicas)
  const size = random.of([2, 3, 14, 20])
  const milliseconds = random.of([500, 3_000, 12_000])
  const user = random.of(['anna', 'paul'] as const)
  const seenMs = random.chance(0.4) ? random.of([0, 50, 2_000]) : undefined
  const apply = (): SetHappening => ({ kind: 'apply', user, size, replica, seenMs })
  return random.of<() => SetHappening>([
    apply,
    apply,
    apply,
    () => ({ kind: 'edit', project: random.of(['dev', 'prod']), size }),
    () => ({ kind: 'edit', project: random.of(['dev', 'prod']), size }),
    () => ({ kind: 'crash', replica, downMs: random.of([0, 500, 5_000]) }),
    () => ({ kind: 'freeze', replica, milliseconds }),
    () => ({ kind: 'losses', rate: random.of([0.05, 0.3]), milliseconds }),
    () => ({ kind: 'partition', replica, milliseconds }),
  ])()
}

/** The set with so many Applications in a project; the mark is in each of them, so that it is known who made it. */
export function setOf(mark: string, project: string, size: number): Resource {
  const elements = Array.from({ length: size }, (_, index) => ({ name: `app-${index + 1}`, mark }))
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements } }],
      template: {
        metadata: { name: '{{name}}' },
        spec: {
          project,
          source: { repoURL: 'https://git.example.com/team/apps.git', path: '{{mark}}' },
          destination: { server: 'https://dev', namespace: 'apps' },
        },
      },
    },
  }
}

/** The policy and the projects of a world of sets. */
export function accessObjects(): Resource[] {
  const metadata = { namespace: 'argocd' }
  const rules = Object.entries(projectOf).flatMap(([user, project]) => [
    `p, role:${project}, applications, *, ${project}/*, allow`,
    `g, ${user}, role:${project}`,
  ])
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: 'argocd-rbac-cm' },
      data: { 'policy.csv': rules.join('\n') },
    },
    ...Object.values(projectOf).map((name) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { ...metadata, name },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    })),
  ]
}
