import { DeadlineExceededError } from '@wadi/errors/domain-error.ts'

/** A limit on time that can be lifted before it is reached. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal
  lift(): void
}

/**
 * Begins a limit on time.
 * @param what the work, as it is called in the error: `the time for <what> ran out`
 */
export function timeLimit(milliseconds: number, what: string): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DeadlineExceededError(`the time for ${what} ran out`)),
    milliseconds,
  )
  const lift = () => clearTimeout(timer)
  return { signal: controller.signal, lift, [Symbol.dispose]: lift }
}
