import type { ListRunsRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { Run } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { RunLog } from '../run/log/run-log.ts'
import { stateNames } from './list-queued-branches.ts'

/** Lists the newest runs of a hydrated branch. */
export function listRuns({ runs, queue }: { runs: RunLog; queue: Pick<BranchQueue, 'states'> }) {
  return async ({ branchKey }: ListRunsRequest) => {
    const state = (await queue.states()).get(branchKey)
    // A hydrator that was killed leaves its report that a run is under way.
    const isKnown = ({ outcome }: Run) => outcome !== 'Running' || state === 'active'
    return {
      runs: (await runs.list(branchKey)).filter(isKnown),
      queue: state === undefined ? '' : stateNames[state],
    }
  }
}
