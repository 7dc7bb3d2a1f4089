import type { Wake } from '../watch/wake.ts'

/** Has the poll of all repositories begin at once. */
export function pollNow(context: { wake: Wake }) {
  return async () => {
    context.wake.call()
    return {}
  }
}
