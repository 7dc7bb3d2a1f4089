import { Code, ConnectError } from '@connectrpc/connect'
import { createConnectQueryKey, useQuery } from '@connectrpc/connect-query'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { useEffect } from 'react'
import { hasSessionEnded, markSessionEnded, markSessionSettled } from './session.ts'

const { getSession } = SignInService.method
const channelName = 'wadi-session'
const signedIn = 'signed in'
const signedOut = 'signed out'

/** Returns the query for the signed-in user. */
export function useCaller() {
  return useQuery(getSession, {}, { staleTime: Infinity })
}

/** Takes up a session that another tab begins, and notices at once when one ends it, so that one sign-in is enough for all tabs. */
export function useSharedSession(): void {
  const cache = useQueryClient()
  const isSignedIn = useCaller().data?.signedIn === true
  useEffect(() => {
    const tabs = new BroadcastChannel(channelName)
    tabs.addEventListener('message', ({ data }) => {
      if (data === signedOut) markSessionEnded()
      else if (hasSessionEnded()) void askAgain(cache)
    })
    if (isSignedIn) tell(tabs, signedIn)
    return () => tabs.close()
  }, [cache, isSignedIn])
}

/** Ends the session in all tabs; the page is loaded afresh, so that nothing of the session stays in its memory. */
export async function signOut(): Promise<void> {
  const answer = await fetch('/auth/logout', { method: 'POST' })
  if (!answer.ok) throw new ConnectError('the server did not end the session; try again', Code.Unavailable)
  const tabs = new BroadcastChannel(channelName)
  tell(tabs, signedOut)
  tabs.close()
  globalThis.location.reload()
}

function tell(tabs: BroadcastChannel, what: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has this origin alone
  tabs.postMessage(what)
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
