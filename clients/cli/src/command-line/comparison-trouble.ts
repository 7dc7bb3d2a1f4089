import { CommanderError } from 'commander'
import { CommandFailure } from './command-failure.ts'
import type { CommandSession } from './command-session.ts'
import { errorText } from './error-text.ts'

/** Exit code of a command that could not compare, as of diff(1): 1 says that something differs. */
export const troubleExitCode = 2

/** Ends a command with that code when it is used wrongly. */
export function endUsageWithTrouble({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : troubleExitCode, code, message)
}

/**
 * Runs a comparison.
 * @throws CommandFailure with that code for each of its errors, but those of a session that is ended
 */
export async function failWithTrouble(session: CommandSession, compare: () => Promise<void>): Promise<void> {
  try {
    await compare()
  } catch (error) {
    if (session.signal.aborted) throw error
    throw new CommandFailure(await errorText(error), troubleExitCode, { cause: error })
  }
}
