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
    const advice = error.code === Code.Unauthenticated ? signInAdvice(error.rawMessage) : ''
    return `rpc error: code = ${Code[error.code]} desc = ${error.rawMessage}${advice}`
  }
  return error instanceof Error ? error.message : String(error)
}

/** A refused password gets none. */
function signInAdvice(reason: string): string {
  return /^(?:no session information$|invalid session: )/.test(reason)
    ? '; use "wadi login" or "wadi relogin"'
    : ''
}
