import type { HandlerContext } from '@connectrpc/connect'
import { by } from '@wadi/order/by-name.ts'
import type { ListBranchesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { type BranchOverview, branchOverview, readQueue } from '../summaries/branch-summary.ts'
import { pageOf, phaseCounts } from '../summaries/page.ts'
import { searchedText, visibleTo } from '../summaries/summary-filter.ts'

const byBranch = by(({ repoUrl, branch }: BranchOverview) => `${repoUrl}\n${branch}`)

/** Answers one page of the branches on which the caller may see an Application. */
export function listBranches(context: GatewayContext) {
  return async (request: ListBranchesRequest, call: HandlerContext) => {
    const text = searchedText(request.text)
    const wanted = new Set(request.phases)
    const { states, queueError } = await readQueue(context, call.signal)
    const found = visibleBranches(context, call, states).filter(({ repoUrl, branch }) =>
      `${repoUrl}\n${branch}`.toLowerCase().includes(text),
    )
    const selected = found.filter(({ phase }) => wanted.size === 0 || wanted.has(phase))
    return {
      branches: pageOf(selected.toSorted(byBranch), request),
      total: selected.length,
      phases: phaseCounts(found.map(({ phase }) => phase)),
      queueError,
    }
  }
}

function visibleBranches(
  { summaries, authorization }: GatewayContext,
  call: HandlerContext,
  states: ReadonlyMap<string, string>,
): BranchOverview[] {
  const visible = summaries.sorted.filter(visibleTo(authorization, call))
  const branches = Map.groupBy(visible, ({ source }) => source.branchKey ?? '')
  return Array.from(branches).flatMap(
    ([key, applications]) => branchOverview(applications, summaries.record(key), states.get(key) ?? '') ?? [],
  )
}
