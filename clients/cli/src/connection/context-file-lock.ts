import { waitForFileLock } from '@wadi/concurrency/file-lock.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

const maxWaitMs = 60_000

/**
 * Takes the context file for this command, waiting for another that has it. The lock is on a file beside it.
 * @throws CommandFailure when another command has it for a minute, or the directory cannot be written
 */
export async function lockContextFile(path: string): Promise<Disposable> {
  const file = `${path}.lock`
  const late = AbortSignal.timeout(maxWaitMs)
  try {
    return await waitForFileLock(file, late)
  } catch (cause) {
    if (late.aborted) {
      throw new CommandFailure(`another command has locked ${path} for a minute; end it and try again`)
    }
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure(`cannot lock ${file} (${reason}); its directory must be writable`, 1, { cause })
  }
}
