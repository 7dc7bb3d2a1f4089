import { ConflictError } from '@wadi/errors/domain-error.ts'

/** A status is written while one hydrates, so a lost race says little. */
const attempts = 5

/**
 * Reads and writes again when somebody else was faster.
 * @throws ConflictError when that happens each time
 */
export async function retryConflicts<Result>(readAndWrite: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite()
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === attempts) throw error
    }
  }
}
