import { by, byCodeUnits } from '@wadi/order/by-name.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'

/** A branch with the staging branches that are merged to it. */
export interface OrderedBranch {
  readonly branch: string
  readonly promotedFrom: readonly string[]
}

/**
 * Returns the names of branches in the order of their stages: by the first pattern that matches, those without one last, then by name;
 * staging branches come directly before the first branch that they are merged to.
 * @param patterns the operator's order
 */
export function stageOrder(branches: readonly OrderedBranch[], patterns: readonly Matcher[]): string[] {
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
