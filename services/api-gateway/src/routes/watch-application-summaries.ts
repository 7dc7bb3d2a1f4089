import { setTimeout } from 'node:timers/promises'
import type { HandlerContext } from '@connectrpc/connect'
import type { WatchApplicationSummariesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type { GatewayContext } from '../context.ts'
import { FollowedSummaries } from '../summaries/followed-summaries.ts'

/** The least time between two messages, in milliseconds. */
const pauseMs = 250

/** Streams what changes of the summaries that a filter selects and the caller may see, several changes in one message. */
export function watchApplicationSummaries(context: GatewayContext, draining: AbortSignal) {
  return async function* ({ filter }: WatchApplicationSummariesRequest, call: HandlerContext) {
    const signal = AbortSignal.any([call.signal, draining])
    using followed = new FollowedSummaries(context, filter, call)
    yield followed.counts()
    while (!signal.aborted) {
      await setTimeout(pauseMs)
      const message = followed.next()
      if (message) yield message
    }
  }
}
