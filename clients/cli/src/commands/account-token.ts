import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { expiresInOption } from '../command-line/duration-value.ts'
import { printable } from '../output/printable.ts'

interface GenerateFlags {
  account?: string
  expiresIn: bigint
  id?: string
}

/** Adds `account generate-token`. */
export function addGenerateTokenCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('generate-token')
    .option('-a, --account <name>', 'account (default: your own)')
    .addOption(expiresInOption())
    .option('--id <id>', 'id to list and delete the token by (default: random)')
    .action((flags: GenerateFlags) => generateToken(session, flags))
  explain(command, 'Create an API key for an account with the capability apiKey, and print it.', [
    'wadi account generate-token --account ci --expires-in 7d --id pipeline',
  ])
}

/** Adds `account delete-token`. */
export function addDeleteTokenCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('delete-token')
    .argument('<id>', 'id of the token, from "wadi account get"')
    .option('-a, --account <name>', 'account (default: your own)')
    .action((id: string, flags: { account?: string }) => deleteToken(session, id, flags))
  explain(command, 'Revoke an API key of an account.', ['wadi account delete-token --account ci pipeline'])
}

async function generateToken(session: CommandSession, flags: GenerateFlags): Promise<void> {
  const { signal } = session
  const server = await session.connect('accounts', 'sessions')
  const { accountOrOwn } = await import('../accounts/own-account.ts')
  const name = await accountOrOwn(server, flags.account, signal)
  const { expiresIn, id = '' } = flags
  const { token } = await server.accounts.createToken({ name, expiresIn, id }, { signal })
  process.stdout.write(`${printable(token)}\n`)
}

async function deleteToken(session: CommandSession, id: string, flags: { account?: string }): Promise<void> {
  const { signal } = session
  const server = await session.connect('accounts', 'sessions')
  const { accountOrOwn } = await import('../accounts/own-account.ts')
  const name = await accountOrOwn(server, flags.account, signal)
  await server.accounts.deleteToken({ name, id }, { signal })
  process.stdout.write(`Token '${printable(id)}' of account '${printable(name)}' deleted\n`)
}
