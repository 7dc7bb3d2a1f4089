import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import pLimit from 'p-limit'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'

/** The right to run. */
interface RunSlot {
  giveBack(): void
}

/** Gives out a bounded number of slots to calls, first come first served. */
export interface RunSlots {
  /**
   * Waits for a slot.
   * @throws ResourceExhaustedError when too many wait already; CanceledError or DeadlineExceededError on abort
   */
  take(signal: AbortSignal): Promise<RunSlot>
}

/** Makes slots for `concurrent` runs, for which at most `maxWaiting` calls wait. */
export function createRunSlots(concurrent: number, maxWaiting: number): RunSlots {
  const limit = pLimit(concurrent)
  let running = 0
  let waiting = 0
  return {
    async take(signal) {
      if (running >= concurrent && waiting >= maxWaiting) {
        throw new ResourceExhaustedError(
          `${maxWaiting} calls wait for one of ${concurrent} concurrent runs already; try again later`,
        )
      }
      const turn = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      waiting += 1
      void limit(async () => {
        turn.resolve()
        await end.promise
      })
      try {
        await untilAborted(turn.promise, signal, 'waiting for other runs of the plugin')
      } catch (error) {
        end.resolve()
        throw error
      } finally {
        waiting -= 1
      }
      running += 1
      return {
        giveBack: () => {
          running -= 1
          end.resolve()
        },
      }
    },
  }
}
