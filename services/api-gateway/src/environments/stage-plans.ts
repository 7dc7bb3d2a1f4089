import { by, byCodeUnits } from '@wadi/order/by-name.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { StagedApplication } from './staged-applications.ts'

/** The Applications of a dry repository that share a stage. */
export interface StagePlan {
  readonly applications: readonly StagedApplication[]
  readonly branch: string
  readonly targetRevision: string
  /** The staging branch that is merged to this one; empty for a branch that is hydrated to. */
  readonly promotedFrom: string
  /** The key of the branch that its Applications are hydrated to. */
  readonly branchKey: string
}

const byPlace = by(({ branchKey, targetRevision, promotedFrom }: StagePlan) =>
  [branchKey, targetRevision, promotedFrom].join('\n'),
)

/** Returns the stages of Applications of one dry repository in their order. */
export function stagePlans(
  applications: readonly StagedApplication[],
  patterns: readonly Matcher[],
): StagePlan[] {
  const hydrated = plansOf(applications, ({ branch }) => ({ branch, promotedFrom: '' }))
  const promoted = plansOf(
    applications.filter(({ promotedTo }) => promotedTo !== ''),
    ({ branch, promotedTo }) => ({ branch: promotedTo, promotedFrom: branch }),
  )
  const plans = [...hydrated, ...promoted]
  const sources = Map.groupBy(promoted, ({ branch }) => branch)
  const branches = plans.map(({ branch }) => ({
    branch,
    promotedFrom: (sources.get(branch) ?? []).map(({ promotedFrom }) => promotedFrom),
  }))
  const places = new Map(stageOrder(branches, patterns).map((branch, place) => [branch, place]))
  const placeOf = ({ branch }: StagePlan) => places.get(branch) ?? 0
  return plans.toSorted(byPlace).toSorted((one, other) => placeOf(one) - placeOf(other))
}

function plansOf(
  applications: readonly StagedApplication[],
  branchesOf: (application: StagedApplication) => Pick<StagePlan, 'branch' | 'promotedFrom'>,
): StagePlan[] {
  const groups = Map.groupBy(applications, (application) => {
    const { branch, promotedFrom } = branchesOf(application)
    return JSON.stringify([application.branchKey, application.member.targetRevision, branch, promotedFrom])
  })
  return Array.from(groups.values()).flatMap((members) => {
    const [first] = members
    if (!first) return []
    const { branchKey, member } = first
    return [{ applications: members, branchKey, targetRevision: member.targetRevision, ...branchesOf(first) }]
  })
}

/** A branch with the staging branches that are merged to it. */
interface OrderedBranch {
  readonly branch: string
  readonly promotedFrom: readonly string[]
}

/**
 * Returns the names of branches in the order of their stages: by the first pattern that matches, those without one last, then by name;
 * staging branches come directly before the first branch that they are merged to.
 * @param patterns the operator's order
 */
function stageOrder(branches: readonly OrderedBranch[], patterns: readonly Matcher[]): string[] {
  const staging = new Map(branches.map(({ branch, promotedFrom }) => [branch, promotedFrom]))
  const staged = new Set(branches.flatMap(({ promotedFrom }) => promotedFrom))
  const rankOf = (branch: string) => {
    const rank = patterns.findIndex((matches) => matches(branch))
    return rank < 0 ? patterns.length : rank
  }
  const ranks = new Map([...staging.keys(), ...staged].map((branch) => [branch, rankOf(branch)]))
  const sorted = Array.from(ranks)
    .toSorted(by(([branch]) => branch))
    .toSorted(([, one], [, other]) => one - other)
    .map(([branch]) => branch)
  const order = new Set<string>()
  const visited = new Set<string>()
  const add = (branch: string) => {
    // Branches that are merged to each other in a circle begin anywhere.
    if (visited.has(branch)) return
    visited.add(branch)
    for (const before of (staging.get(branch) ?? []).toSorted(byCodeUnits)) add(before)
    order.add(branch)
  }
  for (const branch of sorted) if (!staged.has(branch)) add(branch)
  for (const branch of sorted) add(branch)
  return [...order]
}
