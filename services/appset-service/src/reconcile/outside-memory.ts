import { normalizeRepositoryUrl } from '@wadi/git/repository-url.ts'
import { LRUCache } from 'lru-cache'
import type { InputSources, Question } from '../inputs/run-inputs.ts'
import type { GeneratorFacts } from './generator-facts.ts'
import { kindAsked, mentionsRepository } from './question-key.ts'

/** What one pass heard from outside, be it remembered or new. */
export interface HeardInputs {
  /** The repositories whose revisions counted, normalised. */
  repositories: Set<string>
  /** The keys of the questions. */
  questions: Set<string>
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

type RepoServer = InputSources['repoServer']

/** Answers that are kept; one that had to go is asked for again. */
const maxRevisions = 50_000
const maxQuestions = 2_000

/** Repositories of which is known when somebody told that they changed. */
const maxHints = 10_000

/**
 * What remotes, forges and plugins said, for all ApplicationSets together. Each is asked again when the generator's
 * time is over or somebody tells that it changed, and for nothing else: whatever makes a set generate again in between
 * gets what was said before. So sets with equal times cost what one of them costs.
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
    const resolveRevisions: RepoServer['resolveRevisions'] = (request) =>
      this.#revision(sources.repoServer, request, options)
    return {
      ...sources,
      repoServer: { ...sources.repoServer, resolveRevisions },
      recall: (question: Question<unknown>) => this.#answer(question, options),
    }
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
    repoServer: RepoServer,
    request: Parameters<RepoServer['resolveRevisions']>[0],
    { requeueMs, notBefore, heard }: HearingOptions,
  ): ReturnType<RepoServer['resolveRevisions']> {
    const { repoUrl = '', project = '', revisions = [] } = request
    const repository = normalizeRepositoryUrl(repoUrl)
    heard.repositories.add(repository)
    const key = JSON.stringify([repoUrl, project, revisions])
    const since = Math.max(notBefore, this.#changedAt.get(repository) ?? -Infinity)
    const before = this.#revisions.peek(key)?.askedAt ?? -Infinity
    const { askedAt, answer } = remembered(this.#revisions, key, since, requeueMs.get('git'), () =>
      // What repo-server remembers itself is young enough, unless somebody told of a change after it.
      repoServer.resolveRevisions({ ...request, refresh: since > before }, { signal: this.#signal() }),
    )
    note(heard, 'git', askedAt)
    const response = await (answer as ReturnType<RepoServer['resolveRevisions']>)
    const isKnown = response.revisions.every(({ sha }) => sha !== '')
    if (!isKnown && this.#revisions.peek(key)?.answer === answer) this.#revisions.delete(key)
    return response
  }

  async #answer(
    question: Question<unknown>,
    { requeueMs, notBefore, heard }: HearingOptions,
  ): Promise<unknown> {
    heard.questions.add(question.key)
    const kind = kindAsked(question.key)
    const { askedAt, answer } = remembered(
      this.#questions,
      question.key,
      notBefore,
      requeueMs.get(kind),
      () => question.ask(this.#signal()),
    )
    note(heard, kind, askedAt)
    return answer
  }

  /** Other passes may wait for the same answer, so the end of one pass does not end it. */
  #signal(): AbortSignal {
    return AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.#timeoutMs)])
  }
}

/** The answer that counts, asked for if there is none; a failed one is not kept. */
function remembered(
  answers: LRUCache<string, Remembered>,
  key: string,
  since: number,
  maxAgeMs: number | undefined,
  ask: () => Promise<unknown>,
): Remembered {
  const now = performance.now()
  const known = answers.get(key)
  if (known && known.askedAt >= since && now - known.askedAt < (maxAgeMs ?? 0)) return known
  const asked: Remembered = { askedAt: now, answer: ask() }
  answers.set(key, asked)
  asked.answer.catch(() => {
    if (answers.peek(key) === asked) answers.delete(key)
  })
  return asked
}

function note({ oldest }: HeardInputs, kind: string, askedAt: number): void {
  oldest.set(kind, Math.min(oldest.get(kind) ?? askedAt, askedAt))
}
