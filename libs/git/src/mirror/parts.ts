import { CanceledError, DomainError, NotFoundError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { redactUrl } from '../remote/repository-url.ts'
import { offersParts } from '../smart-http/fetch-pack.ts'
import { OddAnswerError } from '../smart-http/pkt-line.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { type FetchedRepository, requestPack } from './fetch-refs.ts'
import type { Ways } from './remote.ts'

/** The most objects of one request. */
const maxObjects = 5_000

/** The server gives no parts of a repository, or not this one. */
export class NoPartsError extends Error {
  override readonly name = 'NoPartsError'
}

/** The ways to fetch a part: by protocol 2 from a server that offers it. All others throw NoPartsError. */
export function partsOf(
  { wantsPart }: { wantsPart: boolean },
  fetch: (target: RemoteTarget, memory: ServerMemory) => Promise<void>,
): Ways<void> {
  return {
    builtIn: async (target, memory) => {
      if (!wantsPart || !(await offers(target, memory))) throw new NoPartsError('no parts are offered')
      try {
        await fetch(target, memory)
      } catch (cause) {
        if (cause instanceof OddAnswerError) throw new NoPartsError(cause.message, { cause })
        throw cause
      }
    },
    git: () => Promise.reject(new NoPartsError('git fetches everything')),
  }
}

async function offers(target: RemoteTarget, memory: ServerMemory): Promise<boolean> {
  try {
    return await memory.withProtocol2(
      target,
      async (capabilities) => offersParts(capabilities),
      () => false,
    )
  } catch (error) {
    if (error instanceof OddAnswerError) return false
    throw error
  }
}

/**
 * Fetches objects by name; with a tree come the trees below it.
 * @throws as `fetchPack`; NoPartsError for objects that the server does not give by name
 */
export async function fetchObjects(
  repository: FetchedRepository,
  target: RemoteTarget,
  memory: ServerMemory,
  oids: readonly string[],
): Promise<void> {
  for (let at = 0; at < oids.length; at += maxObjects) {
    const wants = oids.slice(at, at + maxObjects)
    const request = { wants, haves: [], moreHaves: async () => [], limits: ['filter blob:none'] }
    try {
      await requestPack(repository, target, memory, request, false)
    } catch (cause) {
      if (cause instanceof NotFoundError) throw new NoPartsError(cause.message, { cause })
      throw cause
    }
  }
}

/**
 * Fetches something that was left out earlier. That it cannot be had is an error of this moment, whatever the cause: nothing may
 * take it for a file that does not exist.
 * @param what for the message, such as `the history of commit …`
 * @throws UnavailableError; CanceledError as it is
 */
export async function unavailable(what: string, url: string, fetch: () => Promise<void>): Promise<void> {
  try {
    await fetch()
  } catch (error) {
    if (
      !(error instanceof DomainError) ||
      error instanceof UnavailableError ||
      error instanceof CanceledError
    )
      throw error
    throw new UnavailableError(
      `${what} cannot be fetched from ${redactUrl(url)}, and is tried again: ${error.message}`,
      { cause: error },
    )
  }
}
