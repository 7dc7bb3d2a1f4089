import { createClient } from '@connectrpc/connect'
import { createConnectQueryKey, useTransport } from '@connectrpc/connect-query'
import { useThrottledCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { type StreamState, useLiveStream } from '../../server/live-stream.ts'

/** The least time between two readings of the list, in milliseconds. */
const pauseMs = 1_000

const { searchFindings } = ApplicationService.method

/**
 * Reads the findings on the page again when the server reports a change of Applications, as each run is one.
 * @param projects the AppProjects that are shown; empty for all
 */
export function useFindingUpdates(projects: string[]): StreamState {
  const transport = useTransport()
  const cache = useQueryClient()
  const readAgain = useThrottledCallback(() => {
    const queryKey = createConnectQueryKey({ schema: searchFindings, cardinality: 'finite' })
    void cache.invalidateQueries({ queryKey })
  }, pauseMs)
  return useLiveStream({
    key: JSON.stringify(projects),
    open: (signal) =>
      createClient(ApplicationService, transport).watchApplicationSummaries(
        { filter: { projects } },
        { signal },
      ),
    receive: readAgain,
  })
}
