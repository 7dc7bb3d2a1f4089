import { createConnectQueryKey, useQuery } from '@connectrpc/connect-query'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { useEffect } from 'react'
import { hasSessionEnded, markSessionSettled } from './session.ts'

const { getSession } = SignInService.method

/** Who is signed in. */
export function useCaller() {
  return useQuery(getSession, {}, { staleTime: Infinity })
}

/** Takes up a session that another tab begins, so that one sign-in is enough for all tabs, and tells them of this one's. */
export function useSharedSession(): void {
  const cache = useQueryClient()
  const isSignedIn = useCaller().data?.signedIn === true
  useEffect(() => {
    const tabs = new BroadcastChannel('wadi-session')
    tabs.addEventListener('message', () => {
      if (hasSessionEnded()) void askAgain(cache)
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has this origin alone
    if (isSignedIn) tabs.postMessage('signed in')
    return () => tabs.close()
  }, [cache, isSignedIn])
}

/** Returns what to do after somebody signed in or out: whoever it is now, every answer is asked for again. */
export function useCallerChange(): () => Promise<void> {
  const cache = useQueryClient()
  return () => askAgain(cache)
}

async function askAgain(cache: QueryClient): Promise<void> {
  const key = createConnectQueryKey({ schema: getSession, input: {}, cardinality: 'finite' })
  await cache.refetchQueries({ queryKey: key })
  markSessionSettled()
  await cache.invalidateQueries()
}
