import { groupOf } from '@wadi/hydration/application-status.ts'
import type { GroupStatus, HydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { by } from '@wadi/order/by-name.ts'
import { type BranchOverview, branchOverview } from '../summaries/branch-summary.ts'
import { emptyStage, type StageFields, type StageState } from './stage.ts'
import type { StagedApplication } from './staged-applications.ts'

/**
 * Returns the stage of a branch that Applications of one dry repository and revision are hydrated to.
 * @param queue the state of the branch in the queue; empty for none
 */
export function hydratedStage(
  applications: readonly StagedApplication[],
  record: HydratedBranch | undefined,
  queue: string,
): StageFields {
  const branch = applications[0]?.branch ?? ''
  const stage = emptyStage(applications, branch, '')
  const overview = branchOverview(applications, record, queue)
  if (!record || !overview) return { ...stage, ...waiting(queue) }
  const groups = [...new Set(applications.flatMap(({ member }) => groupOf(member, record) ?? []))]
  // Where some sources of the repository are further than others, the branch has the commit that all of it has.
  const [held] = groups.flatMap(({ success }) => success ?? []).toSorted(by(({ finishedAt }) => finishedAt))
  const next = newestRun(groups)?.drySha ?? ''
  return {
    ...stage,
    drySha: held?.drySha ?? '',
    version: held?.version ?? '',
    since: held?.finishedAt ?? '',
    hydratedSha: held?.hydratedSha ?? '',
    nextDrySha: next === held?.drySha ? '' : next,
    ...standing(overview, record),
  }
}

function newestRun(groups: readonly GroupStatus[]): GroupStatus | undefined {
  return groups.toSorted(by(({ startedAt }) => startedAt)).at(-1)
}

function standing(
  { phase, message, queue }: BranchOverview,
  { status }: HydratedBranch,
): { state: StageState; reason: string } {
  if (queue === 'Running' || phase === 'Hydrating') return { state: 'Running', reason: '' }
  const isHeld = status.leftTo !== undefined || status.foreignChange?.policy === 'block'
  if (phase === 'Failed') return { state: isHeld ? 'HeldBack' : 'Failed', reason: message }
  return queue === '' && phase === 'Hydrated' ? { state: 'Hydrated', reason: '' } : waiting(queue)
}

function waiting(queue: string): { state: StageState; reason: string } {
  return queue === '' ? { state: '', reason: '' } : { state: 'Waiting', reason: 'in the queue' }
}
