import { type Lane, maxWeight } from '@wadi/concurrency/fair-order.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Member } from '../applications/application-index.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'

/** A branch, as far as it decides the lane. */
export interface BranchOfLane {
  readonly project: string
  readonly repoUrl: string
}

/** Returns the lane of a branch: its project, and within it the repository that it is in. */
export type LaneOf = (branch: BranchOfLane) => Lane

/** Returns project and repository of a branch by the first of its members. */
export function branchOf([first]: readonly Member[]): BranchOfLane {
  return { project: first?.application.project ?? '', repoUrl: first?.spec.drySource.repoURL ?? '' }
}

/**
 * Returns lanes with the weights of a setting such as `shop=3,infra=2`; other projects have 1.
 * @throws InvalidInputError for another form, and for a weight that is not from 1 to 12
 */
export function lanesByProject(setting: string): LaneOf {
  const weights = new Map(setting.split(',').filter(Boolean).map(readWeight))
  return ({ project, repoUrl }) => ({
    tenant: project,
    part: normalizeRepositoryUrl(repoUrl),
    weight: weights.get(project) ?? 1,
  })
}

function readWeight(text: string): [string, number] {
  const [, project = '', digits] = /^\s*([^=\s]+)=(\d{1,2})\s*$/.exec(text) ?? []
  const weight = Number(digits)
  if (weight >= 1 && weight <= maxWeight) return [project, weight]
  throw new InvalidInputError(
    `WADI_PROJECT_WEIGHTS must look like shop=3,infra=2 with weights from 1 to ${maxWeight}, not ${text}`,
  )
}
