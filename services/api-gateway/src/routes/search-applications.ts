import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { by } from '@wadi/order/by-name.ts'
import type { SearchApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type { GatewayContext } from '../context.ts'
import type { Summary } from '../summaries/application-summary.ts'
import { groupedSummaries } from '../summaries/grouped-summaries.ts'
import { pageOf, phaseCounts } from '../summaries/page.ts'
import { summaryFilter, visibleTo } from '../summaries/summary-filter.ts'

/** Answers one page of the summaries that a filter selects, and how many there are in each phase and group. */
export function searchApplications({ summaries, authorization }: GatewayContext) {
  return async (request: SearchApplicationsRequest, call: HandlerContext) => {
    const filter = summaryFilter(request.filter, visibleTo(authorization, call))
    const found = summaries.sorted.filter(filter.matches).map(({ summary }) => summary)
    const selected = found.filter(({ phase }) => filter.hasPhase(phase))
    const { summaries: listed, groups } = groupedSummaries(ordered(selected, request), request.groupBy)
    return {
      applications: pageOf(listed, request),
      total: selected.length,
      phases: phaseCounts(found.map(({ phase }) => phase)),
      groups,
    }
  }
}

/** The summaries, which come by namespace and name, in the order of the request. */
function ordered(
  summaries: Summary[],
  { orderBy, descending }: Pick<SearchApplicationsRequest, 'orderBy' | 'descending'>,
): readonly Summary[] {
  switch (orderBy) {
    case '':
    case 'name':
      return descending ? summaries.toReversed() : summaries
    case 'finished_at':
      return inOrderOf(summaries, ({ finishedAt }) => finishedAt, descending)
    case 'phase':
      return inOrderOf(summaries, ({ phase }) => phase, descending)
    default:
      throw new InvalidInputError(
        `order_by ${JSON.stringify(orderBy)} is not supported; expected name, finished_at or phase`,
      )
  }
}

function inOrderOf(
  summaries: readonly Summary[],
  field: (summary: Summary) => string,
  descending: boolean,
): Summary[] {
  const compare = by(field)
  return summaries.toSorted((one, other) => (descending ? compare(other, one) : compare(one, other)))
}
