import { abortError } from './abort-error.ts'
import { Flight } from './flight.ts'
import { untilAborted } from './until-aborted.ts'

/** Options for collecting questions and answering them together. */
export interface GatheringOptions<Question, Answer> {
  /** The name of the work in messages. */
  readonly label: string
  /** The time that the first question waits for others. */
  readonly milliseconds: number
  /** The most questions that are answered together. */
  readonly most: number
  /** Answers questions, in their order; it is aborted once nobody waits for an answer. */
  readonly answer: (questions: readonly Question[], signal: AbortSignal) => Promise<readonly Answer[]>
}

/** Answers questions of one kind that come at about the same time together. Each answer is found out after its question came. */
export class Gathering<Question, Answer> {
  readonly #options: GatheringOptions<Question, Answer>
  readonly #open = new Map<string, { questions: Question[]; flight: Flight<readonly Answer[]> }>()

  constructor(options: GatheringOptions<Question, Answer>) {
    this.#options = options
  }

  /**
   * Asks together with others of the same key.
   * @throws what `answer` throws, and CanceledError or DeadlineExceededError when the signal aborts before
   */
  async ask(key: string, question: Question, signal?: AbortSignal): Promise<Answer> {
    const { label, most } = this.#options
    if (signal?.aborted === true) throw abortError(signal, label)
    const open = this.#open.get(key) ?? this.#begin(key)
    const index = open.questions.push(question) - 1
    if (open.questions.length >= most) this.#close(key, open.questions)
    using _ = open.flight.join(signal, () => this.#close(key, open.questions))
    const answers = await untilAborted(open.flight.result, signal, label)
    if (index >= answers.length) throw new Error(`${label}: ${answers.length} answers to more questions`)
    return answers[index] as Answer
  }

  #begin(key: string): { questions: Question[]; flight: Flight<readonly Answer[]> } {
    const questions: Question[] = []
    const flight = new Flight(async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, this.#options.milliseconds))
      this.#close(key, questions)
      if (signal.aborted) return []
      return this.#options.answer(questions, signal)
    })
    const open = { questions, flight }
    this.#open.set(key, open)
    return open
  }

  #close(key: string, questions: readonly Question[]): void {
    if (this.#open.get(key)?.questions === questions) this.#open.delete(key)
  }
}
