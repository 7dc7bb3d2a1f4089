import { CanceledError, DomainError, UnavailableError } from '@wadi/errors/domain-error.ts'
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

/**
 * The ways to fetch a part: by protocol 2 from a server that offers it. They throw NoPartsError where the server does not, or says that
 * it knows no such filter, and UnavailableError for an answer that is odd, as the next one may not be.
 * @param repository has no ref where nothing was fetched yet: then a server that is not understood twice gives no parts
 */
export function partsOf(
  { wantsPart, repository }: { wantsPart: boolean; repository: FetchedRepository },
  fetch: (target: RemoteTarget, memory: ServerMemory) => Promise<void>,
): Ways<void> {
  return {
    builtIn: async (target, memory) => {
      if (!wantsPart) throw new NoPartsError('everything is wanted')
      await assertOffered(repository, target, memory)
      try {
        await fetch(target, memory)
      } catch (cause) {
        if (!(cause instanceof OddAnswerError)) throw cause
        if (/\bfilter\b/i.test(cause.message)) throw new NoPartsError(cause.message, { cause })
        // It was asked again, and may offer no parts any more.
        await assertOffered(repository, target, memory)
        throw oddAnswer(target, cause)
      }
    },
    git: () => Promise.reject(new NoPartsError('git fetches everything')),
  }
}

async function assertOffered(
  repository: FetchedRepository,
  target: RemoteTarget,
  memory: ServerMemory,
): Promise<void> {
  const ask = (): Promise<boolean> =>
    memory.withProtocol2(
      target,
      async (capabilities) => offersParts(capabilities),
      () => false,
    )
  const isOffered = await ask().catch(async (odd: unknown) => {
    if (!(odd instanceof OddAnswerError)) throw odd
    const { stdout } = await repository.run(['for-each-ref', '--count=1'])
    if (stdout.length > 0) throw oddAnswer(target, odd)
    return ask().catch((error: unknown) => {
      if (error instanceof OddAnswerError) return false
      throw error
    })
  })
  if (!isOffered) throw new NoPartsError('no parts are offered')
}

function oddAnswer({ url }: RemoteTarget, cause: OddAnswerError): UnavailableError {
  return new UnavailableError(
    `${redactUrl(url.text)} answers a request for parts of the repository in an unknown way: ${cause.message}; ` +
      `set WADI_GIT_FETCH=whole if it stays so`,
    { cause },
  )
}

/**
 * Fetches objects by name; with a tree come the trees below it.
 * @throws as `fetchPack`
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
    await requestPack(repository, target, memory, request, false)
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
