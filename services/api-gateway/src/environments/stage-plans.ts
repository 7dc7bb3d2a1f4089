import { by } from '@wadi/order/by-name.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { stageOrder } from './stage-order.ts'
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
