import { DomainError, errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { errorFields, type ErrorFields } from '@wadi/errors/error-fields.ts'

/** A thread's answer: an output, or the reason why there is none. The first message of a thread is not one: it says that jobs can come. */
export type WorkerAnswer = {
  /** Processor time, which other programs of a busy machine do not make longer. */
  readonly milliseconds: number
} & ({ readonly output: string } | { readonly failure: ErrorFields })

/** Does the work of one job and answers its pool with the output, or why there is none. */
export function answerJob(work: () => string): WorkerAnswer {
  const spent = startedNow()
  try {
    const output = work()
    return { output, milliseconds: spent() }
  } catch (error) {
    return { failure: failureOf(error), milliseconds: spent() }
  }
}

/** Does the same for work that waits. */
export async function answerLongJob(work: () => Promise<string>): Promise<WorkerAnswer> {
  const spent = startedNow()
  try {
    const output = await work()
    return { output, milliseconds: spent() }
  } catch (error) {
    return { failure: failureOf(error), milliseconds: spent() }
  }
}

function startedNow(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}

/** Returns the failure of an error; the stack of an ended Go program follows the reason in lines of its own. */
function failureOf(error: unknown): ErrorFields {
  if (error instanceof DomainError) return errorFields(error)
  const [reason = ''] = errorMessage(error).split('\n')
  return errorFields(new InvalidInputError(reason))
}
