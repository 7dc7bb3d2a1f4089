import { once } from 'node:events'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { HelpRequest } from './service-settings.ts'

/** Time to close the rest after calls were drained, in milliseconds. */
const closeMs = 10_000

/**
 * Runs one service as the whole process: starts it, waits for SIGTERM or SIGINT, disposes it and lets the empty event
 * loop end the process. The signal that `start` receives aborts with the first of these. A second one, or a disposal
 * that takes 10 s longer than the service may drain, ends the process with status 1. A failed start prints one line
 * and gives status 1; `--help` prints the settings and gives 0.
 */
export async function runService(
  start: (signal: AbortSignal) => Promise<AsyncDisposable & { readonly drainTimeoutMs: number }>,
): Promise<void> {
  const stop = new AbortController()
  let drainTimeoutMs = 0
  const onSignal = () => {
    if (stop.signal.aborted) endAtOnce()
    setTimeout(endAtOnce, drainTimeoutMs + closeMs).unref()
    stop.abort()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  let isStarted = false
  try {
    const service = await start(stop.signal)
    isStarted = true
    drainTimeoutMs = service.drainTimeoutMs
    if (!stop.signal.aborted) await once(stop.signal, 'abort')
    await service[Symbol.asyncDispose]()
  } catch (error) {
    if (error instanceof HelpRequest) {
      process.stdout.write(error.message)
    } else if (isStarted || !stop.signal.aborted) {
      // A start that the signal interrupted ends as asked; everything else is a failure.
      process.stderr.write(`${errorMessage(error).trimEnd()}\n`)
      process.exitCode = 1
    }
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
  }
}

/**
 * Ends the process with status 1 by putting one in its place that does nothing else. `process.exit` first waits for the threads that
 * compile code, and those may wait for this one: then it never ends (nodejs/node#54918).
 */
function endAtOnce(): void {
  try {
    process.execve?.('/bin/sh', ['sh', '-c', 'exit 1'])
  } catch {
    // No shell, or a policy that forbids to start one.
  }
  process.exit(1)
}
