import type { DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useTransport } from '@connectrpc/connect-query'
import { useThrottledCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type {
  ApplicationFilterSchema,
  WatchApplicationSummariesResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { type StreamState, useLiveStream } from './live-stream.ts'

/** Interval of reading the queue, whose state of a branch is not reported with its Applications. */
export const queueRefreshMs = 10_000

/** The time in which answers are read once, however much changes. */
const readEveryMs = 500
/** The same for what filters offer, which a change of one Application seldom changes. */
const readChoicesEveryMs = 5_000

/** Returns what reads again what filters offer when the server reports a change of Applications. */
export function useChoiceUpdates(): (change: WatchApplicationSummariesResponse) => void {
  const cache = useQueryClient()
  const readAgain = useThrottledCallback(() => {
    const { listApplicationChoices: schema } = ApplicationService.method
    void cache.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: 'finite' }) })
  }, readChoicesEveryMs)
  return ({ changed, removed }) => {
    if (changed.length + removed.length > 0) readAgain()
  }
}

/**
 * Reads answers on the page again when the server reports a change of Applications.
 * @param filter the Applications
 * @param methods the calls whose answers depend on them
 */
export function useApplicationUpdates(
  filter: MessageInitShape<typeof ApplicationFilterSchema>,
  methods: readonly DescMethodUnary[],
): StreamState {
  const transport = useTransport()
  const cache = useQueryClient()
  const readAgain = useThrottledCallback(() => {
    for (const schema of methods) {
      const queryKey = createConnectQueryKey({ schema, cardinality: 'finite' })
      void cache.invalidateQueries({ queryKey })
    }
  }, readEveryMs)
  const updateChoices = useChoiceUpdates()
  return useLiveStream({
    key: JSON.stringify(filter),
    open: (signal) =>
      createClient(ApplicationService, transport).watchApplicationSummaries({ filter }, { signal }),
    receive: (change) => {
      readAgain()
      updateChoices(change)
    },
  })
}
