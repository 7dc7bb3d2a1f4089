import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { readContextFile } from '../connection/context-file.ts'
import type { ServerContext } from '../connection/context-file-content.ts'
import { contextFileOf } from './sign-in.ts'

/**
 * Returns the context of a name, or the current one.
 * @throws CommandFailure with exit code 1 when there is none
 */
export async function findContext(session: CommandSession, name: string | undefined): Promise<ServerContext> {
  const { current, contexts } = await readContextFile(contextFileOf(session))
  const found = contexts.find((context) => context.name === (name ?? current))
  if (found) return found
  const reason = name === undefined ? 'there is no current context' : `context '${name}' does not exist`
  throw new CommandFailure(`${reason}; see "wadi context"`, 1)
}
