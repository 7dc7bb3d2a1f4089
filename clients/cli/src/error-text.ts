import { CommandFailure } from './command-failure.ts'

/**
 * Returns what the user reads of a failure: `rpc error: code = NotFound desc = …` for a call, as argocd has it, else
 * the error's own message.
 */
export async function errorText(error: unknown): Promise<string> {
  if (error instanceof CommandFailure) return error.message
  const { Code, ConnectError } = await import('@connectrpc/connect')
  if (error instanceof ConnectError) {
    // What prepares a call fails in its own words.
    if (error.cause instanceof CommandFailure) return error.cause.message
    return `rpc error: code = ${Code[error.code]} desc = ${error.rawMessage}`
  }
  return error instanceof Error ? error.message : String(error)
}
