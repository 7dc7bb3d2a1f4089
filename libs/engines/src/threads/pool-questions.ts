import { parentPort, type Worker } from 'node:worker_threads'
import { errorFromFields } from '@wadi/errors/error-fields.ts'
import { answerLongJob, type WorkerAnswer } from './answer-job.ts'
import type { PoolProgram } from './pool-options.ts'

/** A question of a thread to its pool. */
export interface Question {
  readonly question: string
  /** Tells it from others of the thread. */
  readonly id: number
}

/** The answer of a pool to a question. */
export interface Reply {
  readonly reply: WorkerAnswer
  readonly id: number
}

let asked = 0

/**
 * Asks the pool of this thread, which answers by its program's `answer`, while the thread works on a job.
 * @throws what that throws
 */
export async function askPool(question: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<WorkerAnswer>()
  const id = asked++
  const take = (message: object): void => {
    if (isReply(message) && message.id === id) resolve(message.reply)
  }
  parentPort?.on('message', take)
  parentPort?.postMessage({ question, id } satisfies Question, [])
  try {
    const reply = await promise
    if ('output' in reply) return reply.output
    throw errorFromFields(reply.failure)
  } finally {
    parentPort?.off('message', take)
  }
}

/** True for a message to a thread that is an answer to its question, not a job. */
export function isReply(message: object): message is Reply {
  return 'reply' in message
}

/** True for a message of a thread that is a question, not the answer to its job. */
export function isQuestion(message: object): message is Question {
  return 'question' in message
}

/** Answers a question of a thread. If the thread ends meanwhile, the signal of the answer aborts. */
export async function answerQuestion(
  worker: Worker,
  { question, id }: Question,
  answer: PoolProgram['answer'],
): Promise<void> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  worker.once('exit', end)
  const reply = await answerLongJob(async () => {
    if (answer === undefined) throw new Error('threads of this pool have nothing to ask')
    return answer(question, ended.signal)
  })
  worker.off('exit', end)
  worker.postMessage({ reply, id } satisfies Reply, [])
}
