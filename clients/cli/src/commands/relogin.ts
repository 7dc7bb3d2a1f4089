import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import { count } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface ReloginFlags {
  password?: string
  passwordStdin?: boolean
  ssoPort: number
  ssoLaunchBrowser: boolean
}

/** Defines `relogin`. */
export function defineReloginCommand(command: Command, session: CommandSession): void {
  command
    .option('--password <password>', 'password of the account; visible to other users of this machine')
    .option('--password-stdin', 'read the password from standard input ($WADI_PASSWORD works too)')
    .option('--sso-port <port>', 'port on this machine that the browser returns to; 0 for any', count, 8085)
    .option('--sso-launch-browser', 'open the browser', true)
    .option('--no-sso-launch-browser', 'only print the address (also --sso-launch-browser=false)')
    .action((flags: ReloginFlags) => signInAgain(session, flags))
  showExamples(command, 'wadi relogin', 'wadi relogin --password-stdin < password.txt')
}

async function signInAgain(session: CommandSession, flags: ReloginFlags): Promise<void> {
  const { findContext } = await import('../sign-in/find-context.ts')
  const { ownerName, serverIssuer, tokenClaims } = await import('../sign-in/token-claims.ts')
  const { connectAs, keepSignIn, signInAtProvider, signInWithPassword } =
    await import('../sign-in/sign-in.ts')
  const { name: context, server, token } = await findContext(session, session.flags().wadiContext)
  const claims = tokenClaims(token)
  if (!claims || claims.subject.startsWith('proj:')) {
    throw new CommandFailure(
      `nobody is signed in to ${server} with a password or a browser: use "wadi login ${server}"`,
      1,
    )
  }
  if (claims.issuer !== serverIssuer) {
    const browser = { port: flags.ssoPort, launch: flags.ssoLaunchBrowser }
    await keepSignIn(session, { server, context }, await signInAtProvider(session, server, browser))
    return
  }
  const { readPassword } = await import('../sign-in/secret-input.ts')
  const username = ownerName(claims)
  const password = await readPassword(session, flags, `password of ${username}`)
  const connection = await connectAs(session, server)
  const signedIn = await signInWithPassword(connection, { username, password }, session.signal)
  await keepSignIn(session, { server, context }, signedIn)
}
