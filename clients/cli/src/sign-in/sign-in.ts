import { ConnectError } from '@connectrpc/connect'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { contextFilePath, writeContext } from '../connection/context-file.ts'
import type { GlobalFlags } from '../command-line/global-flags.ts'
import { printable } from '../output/printable.ts'
import { chooseServer } from '../connection/server-choice.ts'
import { connectToServer } from '../connection/server-connection.ts'
import type { ServerConnection } from '../connection/server-connection.ts'
import type { BrowserOptions } from './browser-sign-in.ts'
import type { SignedIn } from './openid-provider.ts'
import { ownerName, tokenClaims } from './token-claims.ts'

/** The server to sign in to, and the name under which it is remembered. */
export interface SignInPlace {
  /** `host:port`, or a URL. */
  server: string
  /** The name of the context. */
  context: string
}

/** The context file of a command line. */
export function contextFileOf(session: CommandSession): string {
  return session.flags().config ?? contextFilePath(session.environment)
}

/** Connects to a server with a token of its own, whatever is stored; nobody by default. */
export function connectAs(
  session: CommandSession,
  server: string,
  token = '',
): Promise<ServerConnection<'accounts' | 'sessions' | 'settings'>> {
  const flags = flagsFor(session, server, token)
  return connectToServer(flags, session.environment, 'accounts', 'sessions', 'settings')
}

/** Signs a local account in and returns the token. */
export async function signInWithPassword(
  { sessions }: Pick<ServerConnection, 'sessions'>,
  account: { username: string; password: string },
  signal: AbortSignal,
): Promise<SignedIn> {
  const { token } = await sessions.create(account, { signal })
  return { token, refreshToken: '' }
}

/**
 * Signs somebody in at the OpenID provider of the server, and makes sure that the server takes its token.
 * @throws CommandFailure when the server has no provider
 */
export async function signInAtProvider(
  session: CommandSession,
  server: string,
  options: BrowserOptions,
): Promise<SignedIn> {
  const { signal } = session
  const { oidcConfig } = await (await connectAs(session, server)).settings.get({}, { signal })
  if (!oidcConfig) {
    throw new CommandFailure(
      `${server} has no OpenID provider: sign in with --username, or set oidc.config in its ConfigMap argocd-cm`,
    )
  }
  const { signInByBrowser } = await import('./browser-sign-in.ts')
  const signedIn = await signInByBrowser(session, oidcConfig, options)
  const { sessions, accounts } = await connectAs(session, server, signedIn.token)
  if ((await sessions.getUserInfo({}, { signal })).loggedIn) return signedIn
  // That call is answered without a token too. This one needs it, and so reports what is wrong with it.
  const reason = await accounts
    .canI({ action: 'get', resource: 'projects', subresource: '*' }, { signal })
    .then(
      () => 'it gives no reason',
      (error: unknown) => (error instanceof ConnectError ? error.rawMessage : String(error)),
    )
  throw new CommandFailure(`${server} does not accept the token of ${oidcConfig.issuer}: ${reason}`)
}

/** Stores the sign-in, makes its context the current one, and reports it. */
export async function keepSignIn(
  session: CommandSession,
  { server, context }: SignInPlace,
  signedIn: SignedIn,
): Promise<void> {
  const { url, insecure } = await chooseServer(flagsFor(session, server, ''), session.environment)
  await writeContext(
    { name: context, server, ...signedIn, plaintext: url.startsWith('http:'), insecure, current: true },
    contextFileOf(session),
  )
  const claims = tokenClaims(signedIn.token)
  const who = claims ? ownerName(claims) : ''
  process.stdout.write(
    `'${printable(who)}' logged in successfully\nContext '${printable(context)}' updated\n`,
  )
}

function flagsFor(session: CommandSession, server: string, authToken: string): GlobalFlags {
  const { wadiContext: _current, ...flags } = session.flags()
  return { ...flags, server, authToken }
}
