import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'
import type { LRUCache } from 'lru-cache'
import { keyText, type QueryKey, revisionQueries } from '@wadi/application-sets/inputs/query-key.ts'
import { isAboutRepository } from './query-subjects.ts'
import type { InputSources, Query } from '@wadi/application-sets/inputs/run-inputs.ts'
import type { GeneratorFacts } from './generator-facts.ts'

/** The inputs that one pass observed, from the cache or fresh. */
export interface ObservedInputs {
  /** The identities of the repositories whose revisions were used. */
  repositories: Set<string>
  /** The answers by the texts of their keys; those of `git` are about revisions. */
  answers: Map<string, ObservedAnswer>
  /** Time at which the oldest answer was requested, by the kind of generator, on the clock of `performance.now()`. */
  oldest: Map<string, number>
}

/** An answer and what was asked. */
interface ObservedAnswer {
  key: QueryKey
  answer: Promise<unknown>
}

/** Limits on the cached answers that a pass may use. */
interface CacheOptions {
  /** Time for which answers stay valid, by the kind of generator. */
  requeueMs: GeneratorFacts['requeueMs']
  /** Answers from before this moment are not used; on the clock of `performance.now()`. */
  notBefore: number
  observed: ObservedInputs
}

interface CachedAnswer extends ObservedAnswer {
  askedAt: number
}

type ResolveRevisions = InputSources['repoServer']['resolveRevisions']
type RevisionsRequest = Parameters<ResolveRevisions>[0]
type RevisionsResponse = Awaited<ReturnType<ResolveRevisions>>

/** Answers that are kept; an evicted one is requested again. */
const maxRevisions = 50_000
const maxQueries = 2_000

/** Repositories whose last reported change is kept. */
const maxHints = 10_000

/**
 * Caches answers from git remotes, SCM providers and plugins across all ApplicationSets. An entry expires after the
 * generator's `requeueAfterSeconds`, or when a webhook invalidates it; whatever makes a set generate again in between gets
 * the cached answer. So sets with equal intervals cost what one of them costs.
 */
export class GeneratorInputCache implements Disposable {
  readonly #revisions = growingCache<string, CachedAnswer>(maxRevisions)
  readonly #queries = growingCache<string, CachedAnswer>(maxQueries)
  readonly #changedAt = growingCache<string, number>(maxHints)
  readonly #end = new AbortController()
  readonly #timeoutMs: number

  /** @param timeoutMs the longest time that one answer may take */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** The sources of one pass, which answer from the cache while an entry is valid. */
  sources<Sources extends InputSources>(sources: Sources, options: CacheOptions): Sources {
    const { repoServer } = sources
    const resolveRevisions: ResolveRevisions = (request, { signal } = {}) =>
      this.#revision(repoServer.resolveRevisions, request, { ...options, signal })
    return {
      ...sources,
      repoServer: { ...repoServer, resolveRevisions },
      fetchCached: (query, signal) =>
        this.#fetch(query.key, options.notBefore, { ...options, signal }, (end) => query.ask(end)),
    }
  }

  /**
   * The sources of what a user asks for, which are never answered from the cache. Their answers are recorded for later passes,
   * so that none undoes with an older answer what the user did with a newer one.
   */
  recording<Sources extends InputSources>(sources: Sources): Sources {
    const { repoServer } = sources
    const resolveRevisions: ResolveRevisions = async (request, options) => {
      const askedAt = performance.now()
      const response = await repoServer.resolveRevisions(request, options)
      if (isKnown(response)) this.#record(revisionKey(request), askedAt, response)
      return response
    }
    return {
      ...sources,
      repoServer: { ...repoServer, resolveRevisions },
      fetchCached: async <Answer>(query: Query<Answer>, signal: AbortSignal) => {
        const askedAt = performance.now()
        const answer = await query.ask(signal)
        this.#record(query.key, askedAt, answer)
        return answer
      },
    }
  }

  /** Returns whether the cache has nothing newer than what a pass observed. */
  isNewest({ answers }: ObservedInputs): boolean {
    return [...answers].every(
      ([text, { key, answer }]) => (this.#cacheOf(key).peek(text)?.answer ?? answer) === answer,
    )
  }

  /** Invalidates what a repository holds and which pull requests it has, in any spelling of its URL. */
  repositoryChanged(repoUrl: string): void {
    const repository = repositoryIdentity(repoUrl)
    this.#changedAt.set(repository, performance.now())
    this.invalidate((key) => isAboutRepository(key, repository))
  }

  /** Invalidates the answers to some queries. */
  invalidate(isInvalid: (key: QueryKey) => boolean): void {
    for (const [text, { key }] of this.#queries.entries()) if (isInvalid(key)) this.#queries.delete(text)
  }

  /** Ends the pending requests. */
  [Symbol.dispose](): void {
    this.#end.abort()
  }

  async #revision(
    resolve: ResolveRevisions,
    request: RevisionsRequest,
    options: CacheOptions & { signal: AbortSignal | undefined },
  ): Promise<RevisionsResponse> {
    const repository = repositoryIdentity(request.repoUrl ?? '')
    options.observed.repositories.add(repository)
    const key = revisionKey(request)
    const text = keyText(key)
    const since = Math.max(options.notBefore, this.#changedAt.get(repository) ?? -Infinity)
    // What repo-server caches itself is young enough, unless a change was reported after it.
    const refresh = since > (this.#revisions.peek(text)?.askedAt ?? -Infinity)
    const response = await this.#fetch(key, since, options, (signal) =>
      resolve({ ...request, refresh }, { signal }),
    )
    if (!isKnown(response)) this.#revisions.delete(text)
    return response
  }

  /** The valid answer, requested if there is none; a failed one is not kept. */
  async #fetch<Answer>(
    key: QueryKey,
    since: number,
    { requeueMs, observed, signal }: CacheOptions & { signal: AbortSignal | undefined },
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { kind } = key
    const text = keyText(key)
    const known = this.#cacheOf(key).get(text)
    const now = performance.now()
    const isValid = known && known.askedAt >= since && now - known.askedAt < (requeueMs.get(kind) ?? 0)
    // Other passes may wait for the same answer, so the end of one pass does not end it.
    const asked = isValid
      ? known
      : this.#keep(key, now, ask(AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.#timeoutMs)])))
    observed.answers.set(text, { key, answer: asked.answer })
    observed.oldest.set(kind, Math.min(observed.oldest.get(kind) ?? asked.askedAt, asked.askedAt))
    return untilAborted(asked.answer as Promise<Answer>, signal)
  }

  #record(key: QueryKey, askedAt: number, answer: unknown): void {
    const known = this.#cacheOf(key).peek(keyText(key))
    if (!known || known.askedAt <= askedAt) this.#keep(key, askedAt, Promise.resolve(answer))
  }

  #keep(key: QueryKey, askedAt: number, answer: Promise<unknown>): CachedAnswer {
    const text = keyText(key)
    const cache = this.#cacheOf(key)
    const kept: CachedAnswer = { key, askedAt, answer }
    cache.set(text, kept)
    answer.catch(() => {
      if (cache.peek(text) === kept) cache.delete(text)
    })
    return kept
  }

  #cacheOf({ kind }: QueryKey): LRUCache<string, CachedAnswer> {
    return kind === revisionQueries ? this.#revisions : this.#queries
  }
}

function revisionKey({ repoUrl, project, revisions }: RevisionsRequest): QueryKey {
  return { kind: revisionQueries, subjects: [repoUrl, project, revisions] }
}

/** Returns true if every revision exists; a missing one may come at any time. */
function isKnown({ revisions }: RevisionsResponse): boolean {
  return revisions.every(({ sha }) => sha !== '')
}
