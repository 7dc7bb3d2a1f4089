import type { GetUserInfoResponse } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { ServerConnection } from '../connection/server-connection.ts'

/**
 * Returns who is signed in, as the server knows it.
 * @throws CommandFailure when nobody is
 */
export async function signedInUser(
  { sessions }: Pick<ServerConnection, 'sessions'>,
  signal: AbortSignal,
): Promise<GetUserInfoResponse> {
  const user = await sessions.getUserInfo({}, { signal })
  if (user.loggedIn) return user
  throw new CommandFailure('you are not signed in, or no longer; use "wadi login" or "wadi relogin"')
}

/** Returns the named account, or that of the caller. */
export async function accountOrOwn(
  server: Pick<ServerConnection, 'sessions'>,
  name: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  return name ?? (await signedInUser(server, signal)).username
}
