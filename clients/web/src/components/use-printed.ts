import { useSyncExternalStore } from 'react'

const print = matchMedia('print')

/** Returns true while the page is drawn for paper. React draws the change before the browser prints. */
export function usePrinted(): boolean {
  return useSyncExternalStore(subscribe, () => print.matches)
}

function subscribe(listener: () => void): () => void {
  print.addEventListener('change', listener)
  return () => print.removeEventListener('change', listener)
}
