import { CanceledError, DomainError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { redactUrl, type RepositoryUrl } from '../remote/repository-url.ts'
import { offersParts } from '../smart-http/fetch-pack.ts'
import type { HttpClient } from '../smart-http/http-client.ts'
import { OddAnswerError } from '../smart-http/pkt-line.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { type FetchedRepository, requestPack } from './fetch-refs.ts'
import type { Ways } from './remote.ts'

/** The most objects of one request. */
const maxObjects = 5_000

/** The most answers in a row that may be odd; the last one says that a server gives no parts. */
const maxOddAnswers = 3

/** The objects of a repository that a mirror fetches. */
export type GitFetch = 'needed' | 'whole'

/** True if a mirror leaves out what is not needed. Parts are fetched by Wadi's own client, which speaks HTTP. */
export function leavesOut(
  { gitFetch, httpClient }: { gitFetch?: GitFetch; httpClient?: HttpClient },
  { transport }: RepositoryUrl,
): boolean {
  return gitFetch === 'needed' && httpClient !== 'git' && (transport === 'http' || transport === 'https')
}

/**
 * The reason for which everything is fetched: the operator wants it, git has to fetch, or the server offers no parts, refuses one or keeps
 * answering in an unknown way.
 */
export type WholeReason = 'wanted' | 'git' | 'not offered' | 'refused' | 'odd answers'

/** The server gives no parts of a repository, or not this one. */
export class NoPartsError extends Error {
  override readonly name = 'NoPartsError'
  readonly reason: WholeReason

  constructor(reason: WholeReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The way to fetch one kind of part, which is tried until the server has given too many odd answers in a row. */
type PartOptions = {
  wantsPart: boolean
  /** Has no ref where nothing was fetched yet: then one odd answer is enough. */
  repository: FetchedRepository
  /** The number of odd answers in a row by the kind of part. */
  odd: Map<string, number>
  /** Names the kind, such as `fetch history`. */
  what: string
}

/**
 * The ways to fetch a part: by protocol 2 from a server that offers it. They throw NoPartsError where the server does not, says that
 * it knows no such filter, or gives too many odd answers, and UnavailableError for another odd answer, as the next one may not be odd.
 */
export function partsOf(
  { wantsPart, repository, odd, what }: PartOptions,
  fetch: (target: RemoteTarget, memory: ServerMemory) => Promise<void>,
): Ways<void> {
  return {
    builtIn: async (target, memory) => {
      if (!wantsPart) throw new NoPartsError('wanted', 'everything is wanted')
      await assertOffered(repository, target, memory)
      try {
        await fetch(target, memory)
        odd.delete(what)
      } catch (cause) {
        if (!(cause instanceof OddAnswerError)) throw cause
        if (/\bfilter\b/i.test(cause.message)) throw new NoPartsError('refused', cause.message, { cause })
        // It was asked again, and may offer no parts any more.
        await assertOffered(repository, target, memory)
        const answers = (odd.get(what) ?? 0) + 1
        odd.set(what, answers % maxOddAnswers)
        if (answers < maxOddAnswers && (await hasRefs(repository))) throw oddAnswer(target, cause)
        throw new NoPartsError('odd answers', cause.message, { cause })
      }
    },
    git: () => Promise.reject(new NoPartsError('git', 'git fetches everything')),
  }
}

async function hasRefs({ run }: FetchedRepository): Promise<boolean> {
  return (await run(['for-each-ref', '--count=1'])).stdout.length > 0
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
    if (await hasRefs(repository)) throw oddAnswer(target, odd)
    return ask().catch((error: unknown) => {
      if (error instanceof OddAnswerError) return false
      throw error
    })
  })
  if (!isOffered) throw new NoPartsError('not offered', 'the server offers no parts')
}

function oddAnswer({ url }: RemoteTarget, cause: OddAnswerError): UnavailableError {
  return new UnavailableError(
    `${redactUrl(url.text)} answers a request for parts of the repository in an unknown way: ${cause.message}`,
    { cause },
  )
}

/**
 * Fetches objects by name; with a tree come the trees below it.
 * @throws as `fetchPack`; OddAnswerError if something else came
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
  const [lacking] = await repository.objects.lacking(oids)
  if (lacking !== undefined) throw new OddAnswerError(`the answer lacks object ${lacking}`)
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
