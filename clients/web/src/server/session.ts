import { useSyncExternalStore } from 'react'

let hasEnded = false
const listeners = new Set<() => void>()

/** Records that the server no longer accepts the session, whose token is a cookie; the page stays as it is. */
export function markSessionEnded(): void {
  change(true)
}

/** Records that somebody signed in or out. */
export function markSessionSettled(): void {
  change(false)
}

/** Returns true if a session has ended for which a page is still open. */
export function hasSessionEnded(): boolean {
  return hasEnded
}

/** Follows whether the session has ended. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, hasSessionEnded)
}

function change(next: boolean): void {
  hasEnded = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
