import type { Command } from 'commander'
import type { AccountFormat } from '../accounts/account-output.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  account?: string
  output: AccountFormat
}

/** Adds `account get`. */
export function addAccountGetCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('get')
    .option('-a, --account <name>', 'account (default: your own)')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((flags: GetFlags) => getAccount(session, flags))
  explain(command, 'Show a local account and its tokens.', [
    'wadi account get',
    'wadi account get --account ci',
  ])
}

async function getAccount(session: CommandSession, { account, output }: GetFlags): Promise<void> {
  const server = await session.connect('accounts', 'sessions')
  const { accountOrOwn } = await import('../accounts/own-account.ts')
  const name = await accountOrOwn(server, account, session.signal)
  const found = await server.accounts.getAccount({ name }, { signal: session.signal })
  const { accountText } = await import('../accounts/account-output.ts')
  process.stdout.write(accountText(found, output))
}
