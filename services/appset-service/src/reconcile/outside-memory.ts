import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { LRUCache } from 'lru-cache'
import type { InputSources, Question } from '../inputs/run-inputs.ts'
import type { GeneratorFacts } from './generator-facts.ts'
import { kindAsked, mentionsRepository } from './question-key.ts'

/** What one pass heard from outside, be it remembered or new. */
export interface HeardInputs {
  /** The repositories whose revisions counted, normalised. */
  repositories: Set<string>
  /** The answers by the keys of their questions; those of `git` are about revisions. */
  answers: Map<string, Promise<unknown>>
  /** When the oldest answer was asked for, by the kind of generator, on the clock of `performance.now()`. */
  oldest: Map<string, number>
}

/** Which answers count in a pass. */
interface HearingOptions {
  /** How long answers count, by the kind of generator. */
  requeueMs: GeneratorFacts['requeueMs']
  /** Answers from before this moment do not count; on the clock of `performance.now()`. */
  notBefore: number
  heard: HeardInputs
}

interface Remembered {
  askedAt: number
  answer: Promise<unknown>
}

type ResolveRevisions = InputSources['repoServer']['resolveRevisions']
type RevisionsRequest = Parameters<ResolveRevisions>[0]
type RevisionsResponse = Awaited<ReturnType<ResolveRevisions>>

/** Answers that are kept; one that had to go is asked for again. */
const maxRevisions = 50_000
const maxQuestions = 2_000

/** Repositories of which is known when somebody told that they changed. */
const maxHints = 10_000

/**
 * What remotes, forges and plugins said, for all ApplicationSets together. For passes each is asked again when the
 * generator's time is over or somebody tells that it changed, and for nothing else: whatever makes a set generate again
 * in between gets what was said before. So sets with equal times cost what one of them costs.
 */
export class OutsideMemory implements Disposable {
  readonly #revisions = new LRUCache<string, Remembered>({ max: maxRevisions })
  readonly #questions = new LRUCache<string, Remembered>({ max: maxQuestions })
  readonly #changedAt = new LRUCache<string, number>({ max: maxHints })
  readonly #end = new AbortController()
  readonly #timeoutMs: number

  /** @param timeoutMs the longest time that one answer may take */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** The sources of one pass, which answer from memory where that counts. */
  sources<Sources extends InputSources>(sources: Sources, options: HearingOptions): Sources {
    const { repoServer } = sources
    const resolveRevisions: ResolveRevisions = (request, { signal } = {}) =>
      this.#revision(repoServer.resolveRevisions, request, { ...options, signal })
    return {
      ...sources,
      repoServer: { ...repoServer, resolveRevisions },
      recall: (question, signal) =>
        this.#remembered(question.key, options.notBefore, { ...options, signal }, (end) => question.ask(end)),
    }
  }

  /**
   * The sources of what a user asks for, which are always asked. What they say counts for passes from then on, so that
   * none undoes with an older answer what the user did with a newer one.
   */
  noting<Sources extends InputSources>(sources: Sources): Sources {
    const { repoServer } = sources
    const resolveRevisions: ResolveRevisions = async (request, options) => {
      const askedAt = performance.now()
      const response = await repoServer.resolveRevisions(request, options)
      if (isKnown(response)) this.#note(revisionKey(request), askedAt, response)
      return response
    }
    return {
      ...sources,
      repoServer: { ...repoServer, resolveRevisions },
      recall: async <Answer>(question: Question<Answer>, signal: AbortSignal) => {
        const askedAt = performance.now()
        const answer = await question.ask(signal)
        this.#note(question.key, askedAt, answer)
        return answer
      },
    }
  }

  /** Returns whether nobody heard anything newer than what a pass heard. */
  isNewest({ answers }: HeardInputs): boolean {
    return [...answers].every(([key, answer]) => (this.#cacheOf(key).peek(key)?.answer ?? answer) === answer)
  }

  /** Makes the next pass ask again what a repository holds and which pull requests it has; the URL is normalised. */
  repositoryChanged(repository: string): void {
    this.#changedAt.set(repository, performance.now())
    this.forgetQuestions((key) => kindAsked(key) === 'pullRequest' && mentionsRepository(key, repository))
  }

  /** Makes the next pass ask some questions again. */
  forgetQuestions(isForgotten: (key: string) => boolean): void {
    for (const key of this.#questions.keys()) if (isForgotten(key)) this.#questions.delete(key)
  }

  /** Ends what is asked. */
  [Symbol.dispose](): void {
    this.#end.abort()
  }

  async #revision(
    resolve: ResolveRevisions,
    request: RevisionsRequest,
    options: HearingOptions & { signal: AbortSignal | undefined },
  ): Promise<RevisionsResponse> {
    const repository = normalizeRepositoryUrl(request.repoUrl ?? '')
    options.heard.repositories.add(repository)
    const key = revisionKey(request)
    const since = Math.max(options.notBefore, this.#changedAt.get(repository) ?? -Infinity)
    // What repo-server remembers itself is young enough, unless somebody told of a change after it.
    const refresh = since > (this.#revisions.peek(key)?.askedAt ?? -Infinity)
    const response = await this.#remembered(key, since, options, (signal) =>
      resolve({ ...request, refresh }, { signal }),
    )
    if (!isKnown(response)) this.#revisions.delete(key)
    return response
  }

  /** The answer that counts, asked for if there is none; a failed one is not kept. */
  async #remembered<Answer>(
    key: string,
    since: number,
    { requeueMs, heard, signal }: HearingOptions & { signal: AbortSignal | undefined },
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const kind = kindAsked(key)
    const cache = this.#cacheOf(key)
    const known = cache.get(key)
    const now = performance.now()
    const counts = known && known.askedAt >= since && now - known.askedAt < (requeueMs.get(kind) ?? 0)
    // Other passes may wait for the same answer, so the end of one pass does not end it.
    const asked = counts
      ? known
      : this.#keep(key, now, ask(AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.#timeoutMs)])))
    heard.answers.set(key, asked.answer)
    heard.oldest.set(kind, Math.min(heard.oldest.get(kind) ?? asked.askedAt, asked.askedAt))
    return untilAborted(asked.answer as Promise<Answer>, signal)
  }

  #note(key: string, askedAt: number, answer: unknown): void {
    const known = this.#cacheOf(key).peek(key)
    if (!known || known.askedAt <= askedAt) this.#keep(key, askedAt, Promise.resolve(answer))
  }

  #keep(key: string, askedAt: number, answer: Promise<unknown>): Remembered {
    const cache = this.#cacheOf(key)
    const kept: Remembered = { askedAt, answer }
    cache.set(key, kept)
    answer.catch(() => {
      if (cache.peek(key) === kept) cache.delete(key)
    })
    return kept
  }

  #cacheOf(key: string): LRUCache<string, Remembered> {
    return kindAsked(key) === 'git' ? this.#revisions : this.#questions
  }
}

function revisionKey({ repoUrl = '', project = '', revisions = [] }: RevisionsRequest): string {
  return JSON.stringify(['git', repoUrl, project, revisions])
}

/** Whether every revision is there; one that is not may come at any time. */
function isKnown({ revisions }: RevisionsResponse): boolean {
  return revisions.every(({ sha }) => sha !== '')
}
