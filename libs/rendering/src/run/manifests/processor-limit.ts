import type { Worker } from 'node:worker_threads'

/** A thread that others keep from working this many times as long as its limit has it ended all the same, as one that only waits. */
const maxSlowdown = 10

/** So that a thread near its limit is not asked all the time. */
const minPauseMs = 200

/**
 * Calls back once when a thread has used so much time of a processor for its job. On a busy machine, or in a pod with a small limit, the
 * same work takes longer by the clock.
 * @param startedAtMs returns the processor time that the thread had used before the job; undefined before its begin
 * @returns what ends the watch
 */
export function limitProcessorTime(
  worker: Worker,
  { milliseconds, startedAtMs }: { milliseconds: number; startedAtMs: () => number | undefined },
  exceeded: () => void,
): Disposable {
  let isOver = false
  const end = (): void => {
    isOver = true
    clearTimeout(next)
    clearTimeout(last)
  }
  const exceed = (): void => {
    if (isOver) return
    end()
    exceeded()
  }
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage()
    if (isOver) return
    const used = (user + system) / 1_000
    const left = milliseconds - (used - (startedAtMs() ?? used))
    if (left <= 0) exceed()
    else next = setTimeout(lookAgain, Math.max(left, minPauseMs))
  }
  // A thread that has ended meanwhile says so itself.
  const lookAgain = (): void => void look().catch(() => undefined)
  let next = setTimeout(lookAgain, milliseconds)
  const last = setTimeout(exceed, maxSlowdown * milliseconds)
  return { [Symbol.dispose]: end }
}
