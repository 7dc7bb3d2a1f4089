import { createQueryOptions, useQuery, useTransport } from '@connectrpc/connect-query'
import { useQueries } from '@tanstack/react-query'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'

const freshMs = 60_000

/**
 * Whether the policy lets the caller do something, so that a page offers it; false until it is known. The server decides again
 * when it is done.
 * @param subresource the object, `default/web` for example
 */
export function useRight(resource: string, action: string, subresource: string): boolean {
  const answer = useQuery(
    AccountService.method.canI,
    { resource, action, subresource },
    { staleTime: freshMs },
  )
  return answer.data?.value === 'yes'
}

/** Whether the policy lets the caller do something to any of the objects. */
export function useAnyRight(resource: string, action: string, subresources: readonly string[]): boolean {
  const transport = useTransport()
  const answers = useQueries({
    queries: subresources.map((subresource) => ({
      ...createQueryOptions(AccountService.method.canI, { resource, action, subresource }, { transport }),
      staleTime: freshMs,
    })),
  })
  return answers.some(({ data }) => data?.value === 'yes')
}
