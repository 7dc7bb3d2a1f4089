import type { ListRunsRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { RunLog } from '../run/log/run-log.ts'
import { stateNames } from './list-queued-branches.ts'

/** Lists the newest runs of a hydrated branch. */
export function listRuns({ runs, queue }: { runs: RunLog; queue: Pick<BranchQueue, 'states'> }) {
  return async ({ branchKey }: ListRunsRequest) => {
    const [found, states] = await Promise.all([runs.list(branchKey), queue.states()])
    const state = states.get(branchKey)
    return { runs: found, queue: state === undefined ? '' : stateNames[state] }
  }
}
