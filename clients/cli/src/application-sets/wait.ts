import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import type { QualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import type { ServerConnection } from '../connection/server-connection.ts'

type ApplicationSets = ServerConnection['applicationSets']

/** Conditions that end a wait early. */
export interface SetWaitOptions {
  signal: AbortSignal
  /** Seconds for the whole wait; 0 for no limit. */
  timeoutSeconds: number
}

const pauseMs = 500

/**
 * Waits until the state of a set says that its Applications are as they are generated, and returns it. An error that
 * `before`, the state when it was stored, has already may be an old one and is ignored.
 * @throws CommandFailure when the time is over, the set goes away or a new error appears in it.
 */
export async function waitUntilUpToDate(
  applicationSets: ApplicationSets,
  name: QualifiedName,
  before: JsonObject,
  options: SetWaitOptions,
): Promise<JsonObject> {
  const known = errorOf(before)
  const label = `ApplicationSet '${name.name}'`
  return withinTime(`${label} to be up to date`, options, async (signal) => {
    const events = applicationSets.watchApplicationSets(name, { signal, timeoutMs: 0 })
    for await (const { type, applicationSet = {} } of events) {
      if (type === 'DELETED') throw new CommandFailure(`${label} was deleted`)
      if (conditionOf(applicationSet, 'ResourcesUpToDate') !== undefined) return applicationSet
      const error = errorOf(applicationSet)
      if (error !== undefined && error.key !== known?.key) {
        throw new CommandFailure(`${label} is in error: ${error.message}`)
      }
    }
    return undefined
  })
}

/**
 * Waits until a set is gone, which it is too when another one has its name.
 * @throws CommandFailure when the time is over.
 */
export async function waitUntilGone(
  applicationSets: ApplicationSets,
  name: QualifiedName,
  uid: string,
  options: SetWaitOptions,
): Promise<void> {
  await withinTime(`ApplicationSet '${name.name}' to go`, options, async (signal) => {
    try {
      const { applicationSet } = await applicationSets.getApplicationSet(name, { signal })
      return textAt(applicationSet, 'metadata', 'uid') === uid ? undefined : true
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.NotFound) return true
      throw error
    }
  })
}

/** Tries until there is an answer, with pauses; a broken connection is taken up again. */
async function withinTime<Answer>(
  what: string,
  options: SetWaitOptions,
  attempt: (signal: AbortSignal) => Promise<Answer | undefined>,
): Promise<Answer> {
  const { timeoutSeconds } = options
  const timeout = timeoutSeconds > 0 ? AbortSignal.timeout(timeoutSeconds * 1_000) : undefined
  const limits = timeout ? AbortSignal.any([options.signal, timeout]) : options.signal
  for (;;) {
    // An attempt that ends leaves no call open, which would keep the process alive.
    const attempted = new AbortController()
    try {
      const answer = await attempt(AbortSignal.any([limits, attempted.signal]))
      if (answer !== undefined) return answer
      await pause(pauseMs, undefined, { signal: limits })
    } catch (error) {
      if (timeout?.aborted === true && !options.signal.aborted) {
        throw new CommandFailure(
          `waited ${timeoutSeconds} s for ${what}; --timeout sets another limit`,
          undefined,
          { cause: error },
        )
      }
      if (limits.aborted || !isBrokenConnection(error)) throw error
      await pause(pauseMs, undefined, { signal: options.signal })
    } finally {
      attempted.abort()
    }
  }
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof ConnectError && (error.code === Code.Unavailable || !error.isWireError)
}

/** Returns the time at which a condition became true; undefined if it is not. */
function conditionOf(set: JsonObject, type: string): string | undefined {
  const condition = listAt(set, 'status', 'conditions').find((one) => textAt(one, 'type') === type)
  return textAt(condition, 'status') === 'True' ? textAt(condition, 'lastTransitionTime') : undefined
}

function errorOf(set: JsonObject): { key: string; message: string } | undefined {
  const since = conditionOf(set, 'ErrorOccurred')
  if (since === undefined) return undefined
  const conditions = listAt(set, 'status', 'conditions')
  const message = textAt(
    conditions.find((one) => textAt(one, 'type') === 'ErrorOccurred'),
    'message',
  )
  return { key: `${since} ${message}`, message }
}
