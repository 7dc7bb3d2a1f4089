import { createContext, Script } from 'node:vm'
import type { Context } from 'node:vm'

const call = new Script('work()')
let context: Context | undefined

/** Thrown instead of a result that would take too long. */
export class TookTooLongError extends Error {
  override readonly name = 'TookTooLongError'
}

/**
 * Returns what the work returns, or ends it when it takes too long, even in the middle of a regular expression. The work
 * must leave nothing half-done that outlives it.
 *
 * @throws TookTooLongError when the milliseconds have passed.
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  context ??= createContext(Object.create(null))
  let result: { value: Result } | undefined
  context['work'] = () => {
    result = { value: work() }
  }
  try {
    call.runInContext(context, { timeout: milliseconds })
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new TookTooLongError(`took longer than ${milliseconds} ms`, { cause: error })
  } finally {
    context['work'] = undefined
  }
  if (result === undefined) throw new TookTooLongError(`took longer than ${milliseconds} ms`)
  return result.value
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
