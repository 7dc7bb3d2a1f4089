import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

/** Adds `account session-token`. */
export function addSessionTokenCommand(account: Command, session: CommandSession): void {
  const command = account.command('session-token').action(() => printToken(session))
  explain(command, 'Print the token that is sent with calls to the server. It is a secret.', [
    'wadi account session-token',
    'WADI_AUTH_TOKEN=$(wadi account session-token) wadi app list --server gw.example.com',
  ])
}

async function printToken(session: CommandSession): Promise<void> {
  const token = await (await session.connect()).token()
  if (token === '') throw new CommandFailure('you are not signed in; use "wadi login"')
  process.stdout.write(`${token}\n`)
}
