import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { valueAt } from '@wadi/fields/json-fields.ts'
import { sameSpec } from '@wadi/hydration/same-spec.ts'
import type { QualifiedName } from './application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { hydrationState, shortSha } from './hydration-state.ts'
import type { HydrationState } from './hydration-state.ts'
import type { ServerConnection } from '../connection/server-connection.ts'
import { StreamCuts } from '../connection/stream-cuts.ts'

/** The aim of a wait and the conditions that end it early. */
export interface WaitOptions {
  signal: AbortSignal
  /** Seconds for the whole wait; 0 for no limit. */
  timeoutSeconds: number
  /** Hears of each new state. */
  report: (line: string) => void
}

/**
 * Waits until a hydration that was asked for has ended and the newest dry commit of an Application is hydrated. A broken
 * connection is taken up again.
 * @throws CommandFailure when the time is over, the Application goes away, or the hydration failed.
 */
export async function waitForHydration(
  applications: ServerConnection['applications'],
  name: QualifiedName,
  options: WaitOptions,
): Promise<void> {
  const timeout = options.timeoutSeconds > 0 ? AbortSignal.timeout(options.timeoutSeconds * 1_000) : undefined
  const signal = timeout ? AbortSignal.any([options.signal, timeout]) : options.signal
  const progress: Progress = { reported: '' }
  const cuts = new StreamCuts()
  for (;;) {
    const openedAt = performance.now()
    try {
      if (await watchOnce(applications, name, { ...options, signal }, progress)) return
    } catch (error) {
      if (timeout?.aborted === true && !options.signal.aborted) throw timedOut(name, options, progress, error)
      if (!isBrokenConnection(error) || signal.aborted) throw error
    }
    const hint = cuts.note(performance.now() - openedAt)
    if (hint !== undefined) options.report(hint)
    try {
      await pause(500, undefined, { signal })
    } catch (error) {
      if (options.signal.aborted) throw error
      throw timedOut(name, options, progress, error)
    }
  }
}

interface Progress {
  reported: string
}

async function watchOnce(
  applications: ServerConnection['applications'],
  name: QualifiedName,
  options: WaitOptions,
  progress: Progress,
): Promise<boolean> {
  // Leaving the loop does not end the call, and an open one would keep the process alive.
  using call = abortedAtEnd(options.signal)
  for await (const event of applications.watchApplications(name, { signal: call.signal, timeoutMs: 0 })) {
    if (event.type === 'DELETED') throw new CommandFailure(`application '${name.name}' was deleted`)
    const state = hydrationState(event.application ?? {})
    const line = `${name.name}: ${describeState(state)}`
    if (line !== progress.reported) options.report(line)
    progress.reported = line
    if (isCurrent(event.application ?? {}, state)) return true
    if (state.status === 'Failed' && !state.isPending) {
      throw new CommandFailure(`application '${name.name}' failed to hydrate: ${state.message}`)
    }
  }
  return false
}

/** Returns whether the newest dry commit is hydrated under the present spec. */
function isCurrent(application: JsonObject, state: HydrationState): boolean {
  const spec = valueAt(application, 'spec', 'sourceHydrator')
  const hydratedUnder = (operation: string) =>
    valueAt(application, 'status', 'sourceHydrator', operation, 'sourceHydrator')
  return (
    state.status === 'Hydrated' &&
    state.drySha !== '' &&
    state.operationDrySha === state.drySha &&
    (state.newestDrySha === '' || state.newestDrySha === state.drySha) &&
    !state.isPending &&
    sameSpec(hydratedUnder('currentOperation'), spec) &&
    sameSpec(hydratedUnder('lastSuccessfulOperation'), spec)
  )
}

function abortedAtEnd(signal: AbortSignal): Disposable & { signal: AbortSignal } {
  const end = new AbortController()
  return { signal: AbortSignal.any([signal, end.signal]), [Symbol.dispose]: () => end.abort() }
}

function describeState(state: HydrationState): string {
  if (state.status === 'Hydrated')
    return `Hydrated ${shortSha(state.drySha)} as ${shortSha(state.hydratedSha)}`
  if (state.status === 'Hydrating' && state.operationDrySha)
    return `Hydrating ${shortSha(state.operationDrySha)}`
  return state.message === '' ? state.status : `${state.status}: ${state.message}`
}

function timedOut(
  name: QualifiedName,
  options: WaitOptions,
  progress: Progress,
  cause: unknown,
): CommandFailure {
  const last = progress.reported === '' ? `application '${name.name}'` : progress.reported
  return new CommandFailure(
    `timed out after ${options.timeoutSeconds} s (${last}); --timeout sets another limit`,
    undefined,
    { cause },
  )
}

function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false
  return error.code === Code.Unavailable || !error.isWireError
}
