import { useQuery } from '@connectrpc/connect-query'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'

/** For how long an answer of the policy is believed. */
export const rightsFreshMs = 60_000

/**
 * Returns true if the policy lets the caller do something, so that a page offers it; false until it is known. The server decides again
 * when it is done.
 * @param subresource the object, `default/web` for example
 */
export function useRight(resource: string, action: string, subresource: string): boolean {
  const answer = useQuery(
    AccountService.method.canI,
    { resource, action, subresource },
    { staleTime: rightsFreshMs },
  )
  return answer.data?.value === 'yes'
}
