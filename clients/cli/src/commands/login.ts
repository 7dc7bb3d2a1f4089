import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import { count } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface LoginFlags {
  username?: string
  password?: string
  passwordStdin?: boolean
  name?: string
  sso?: boolean
  ssoPort: number
  ssoLaunchBrowser: boolean
  skipTestTls?: boolean
}

/** Defines `login`. */
export function defineLoginCommand(command: Command, session: CommandSession): void {
  command
    .argument('<server>', 'host:port or URL')
    .option('--username <name>', 'local account (default: prompt on a terminal)')
    .option('--password <password>', 'its password; visible to other users of this machine')
    .option('--password-stdin', 'read the password from standard input ($WADI_PASSWORD works too)')
    .option('--name <name>', 'name of the context (default: host and port of the server)')
    .option('--sso', "sign in with the server's OpenID provider, in a browser")
    .option('--sso-port <port>', 'port on this machine that the browser returns to; 0 for any', count, 8085)
    .option('--sso-launch-browser', 'open the browser', true)
    .option('--no-sso-launch-browser', 'only print the address (also --sso-launch-browser=false)')
    .option('--skip-test-tls', 'ask for credentials without checking the server first')
    .action((server: string, flags: LoginFlags) => signIn(session, server, flags))
  showExamples(
    command,
    'wadi login gw.example.com --username admin',
    'wadi login gw.example.com --username ci --password-stdin < password.txt',
    'wadi login gw.example.com --sso',
    'wadi login 127.0.0.1:8080 --plaintext --name local',
  )
}

async function signIn(session: CommandSession, address: string, flags: LoginFlags): Promise<void> {
  const { connectAs, keepSignIn, signInAtProvider, signInWithPassword } =
    await import('../sign-in/sign-in.ts')
  const server = address.replace(/\/+$/, '')
  const place = { server, context: flags.name ?? server.replace(/^https?:\/\//, '') }
  if (flags.sso) {
    const browser = { port: flags.ssoPort, launch: flags.ssoLaunchBrowser }
    await keepSignIn(session, place, await signInAtProvider(session, server, browser))
    return
  }
  const connection = await connectAs(session, server)
  if (!flags.skipTestTls) await connection.settings.get({}, { signal: session.signal })
  const { readPassword, readText } = await import('../sign-in/secret-input.ts')
  const username = await readText(session, 'Username', '--username', flags.username)
  const password = await readPassword(session, flags)
  await keepSignIn(
    session,
    place,
    await signInWithPassword(connection, { username, password }, session.signal),
  )
}
