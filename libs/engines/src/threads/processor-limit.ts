import type { Worker } from 'node:worker_threads'

/** A thread that others keep from working this many times as long as its limit has it ended all the same, as one that only waits. */
const maxSlowdown = 10

/** The part of the limit after which a thread is first asked for its time, so that the many short jobs cost nothing. */
const unwatchedPart = 0.1

/** So that a thread near its limit is not asked all the time. */
const minPauseMs = 200

/**
 * Calls back once when a thread has used so much time of a processor from now on, or a tenth more. On a busy machine, or in a pod with a
 * small limit, the same work takes longer by the clock.
 * @returns the watch, which ends when it is disposed
 */
export function limitProcessorTime(worker: Worker, milliseconds: number, exceeded: () => void): Disposable {
  let isOver = false
  let before: number | undefined
  const end = (): void => {
    isOver = true
    clearTimeout(next)
    clearTimeout(last)
  }
  const exceed = (): void => {
    end()
    exceeded()
  }
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage()
    if (isOver) return
    const used = (user + system) / 1_000
    before ??= used
    const left = milliseconds - (used - before)
    if (left <= 0) exceed()
    else next = setTimeout(lookAgain, Math.max(left, minPauseMs))
  }
  // A thread that has ended meanwhile says so itself.
  const lookAgain = (): void => void look().catch(() => undefined)
  let next = setTimeout(lookAgain, unwatchedPart * milliseconds)
  const last = setTimeout(exceed, maxSlowdown * milliseconds)
  return { [Symbol.dispose]: end }
}
