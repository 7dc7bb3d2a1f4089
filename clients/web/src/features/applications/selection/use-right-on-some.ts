import { createQueryOptions, useTransport } from '@connectrpc/connect-query'
import { useQueries } from '@tanstack/react-query'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { rightsFreshMs } from '../../../server/rights.ts'

/** Those that are asked about; whoever may do it to none of them is not offered it. */
const maxAsked = 10

/** Returns true if the policy lets the caller do something to one of some Applications, of many to one of the first. */
export function useRightOnSome(action: string, rows: Iterable<ApplicationSummary>): boolean {
  const transport = useTransport()
  const asked = Array.from(rows).slice(0, maxAsked)
  const answers = useQueries({
    queries: asked.map(({ project, name }) => ({
      ...createQueryOptions(
        AccountService.method.canI,
        { resource: 'applications', action, subresource: `${project}/${name}` },
        { transport },
      ),
      staleTime: rightsFreshMs,
    })),
  })
  return answers.some(({ data }) => data?.value === 'yes')
}
