import type { BranchQueue, JobState } from '@wadi/queue/branch-queue.ts'

/** The states of jobs as the API names them. */
export const stateNames: Readonly<Record<JobState, string>> = {
  active: 'Running',
  waiting: 'Waiting',
  delayed: 'Delayed',
}

/** Lists the hydrated branches that wait, run or pause before a retry. */
export function listQueuedBranches({ queue }: { queue: Pick<BranchQueue, 'states'> }) {
  return async () => {
    const states = await queue.states()
    return {
      branches: Array.from(states, ([branchKey, state]) => ({ branchKey, state: stateNames[state] })),
    }
  }
}
