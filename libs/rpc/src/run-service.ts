import { once } from 'node:events'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { HelpRequest } from './service-settings.ts'

/** Time from the signal to the forced end, in milliseconds: the default drain deadline and room to close the rest. */
const forceAfterMs = 30_000

/**
 * Runs one service as the whole process: starts it, waits for SIGTERM or SIGINT, disposes it and lets the empty event
 * loop end the process. The signal that `start` receives aborts with the first of these. A second one, or a disposal
 * that takes longer than `forceAfterMs` (default 30 s), ends the process with status 1. A failed start prints one line
 * and gives status 1; `--help` prints the settings and gives 0.
 */
export async function runService(
  start: (signal: AbortSignal) => Promise<AsyncDisposable>,
  options: { forceAfterMs?: number } = {},
): Promise<void> {
  const stop = new AbortController()
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(1)
    setTimeout(() => process.exit(1), options.forceAfterMs ?? forceAfterMs).unref()
    stop.abort()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  let isStarted = false
  try {
    const service = await start(stop.signal)
    isStarted = true
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
