import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useTransport } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { BranchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { type StreamState, useLiveStream } from '../../server/live-stream.ts'

/** Interval of reading the queue, whose state of a branch is not reported with its Applications. */
export const queueRefreshMs = 10_000

const { listBranches, getBranch } = BranchService.method

/**
 * Reads the branches on the page again when the server reports a change of their Applications.
 * @param branch the branch that is shown; empty for all
 */
export function useBranchUpdates(branch: string): StreamState {
  const transport = useTransport()
  const cache = useQueryClient()
  const filter = { branches: branch === '' ? [] : [branch] }
  return useLiveStream({
    key: branch,
    open: (signal) =>
      createClient(ApplicationService, transport).watchApplicationSummaries({ filter }, { signal }),
    receive: () => {
      const list = createConnectQueryKey({ schema: listBranches, cardinality: 'finite' })
      const one = createConnectQueryKey({ schema: getBranch, cardinality: 'finite' })
      for (const queryKey of [list, one]) void cache.invalidateQueries({ queryKey })
    },
  })
}
