import { CanceledError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Actor, Scheduler } from './scheduler.ts'

/** The fates of a message: it arrives, it is lost on its way there, or the answer is lost after it took effect. */
export type Fate = 'arrives' | 'lost' | 'unanswered'

/** Questions of one actor to another that answers in the same step, such as a server whose insides are a model. */
export class Network {
  readonly #scheduler: Scheduler
  /** Decides what becomes of a message between two actors. */
  readonly #fate: (from: Actor, to: Actor) => Fate

  constructor(scheduler: Scheduler, fate: (from: Actor, to: Actor) => Fate) {
    this.#scheduler = scheduler
    this.#fate = fate
  }

  /**
   * Asks an actor something: the question arrives in one step, the answer in another one.
   * @throws UnavailableError if one of them is lost; what `ask` throws
   */
  ask<Answer>(
    [from, to]: readonly [Actor, Actor],
    label: string,
    ask: () => Answer | Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const back = (words: string, settle: () => void): void => {
      if (from.isAlive) this.#scheduler.deliver(from, words, settle)
    }
    const fail = (words: string): void => {
      back(`no answer of ${to.name}`, () => reject(new UnavailableError(`${to.name}: ${words}`)))
    }
    const fate = this.#fate(from, to)
    this.#scheduler.deliver(to, `${from.name}: ${label}`, () => {
      if (fate === 'lost') return fail('the connection is lost')
      const rejected = (error: unknown): void => back(`${to.name} rejects: ${label}`, () => reject(error))
      const answered = (answer: Answer): void => {
        if (fate === 'unanswered') fail('the connection was lost before the answer came')
        else back(`${to.name} answers: ${label}`, () => resolve(answer))
      }
      try {
        const answer = ask()
        if (answer instanceof Promise) answer.then(answered, rejected)
        else answered(answer)
      } catch (error) {
        rejected(error)
      }
      return undefined
    })
    const abort = (): void => reject(new CanceledError(`${label} was given up`))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    return promise
  }
}
