import { setTimeout as pause } from 'node:timers/promises'
import { UnavailableError } from '@wadi/errors/domain-error.ts'

const maxOutageMilliseconds = 30_000
const pauseMilliseconds = 250

/**
 * Repeats what may be repeated while the store cannot be reached, so that a run is not made again only for its record.
 * @throws the error of the last attempt after half a minute, or when the signal ends the wait
 */
export async function throughOutage<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const deadline = performance.now() + maxOutageMilliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UnavailableError) || signal.aborted || performance.now() > deadline) throw error
      await pause(pauseMilliseconds, undefined, { signal }).catch(() => undefined)
    }
  }
}
