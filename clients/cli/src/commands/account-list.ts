import type { Command } from 'commander'
import type { AccountFormat } from '../accounts/account-output.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: AccountFormat
}

/** Adds `account list`. */
export function addAccountListCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('list')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((flags: ListFlags) => listAccounts(session, flags))
  explain(command, 'List the local accounts that you may see.', [
    'wadi account list',
    'wadi account list -o json',
  ])
}

async function listAccounts(session: CommandSession, { output }: ListFlags): Promise<void> {
  const { accounts } = await session.connect('accounts')
  const { items } = await accounts.listAccounts({}, { signal: session.signal })
  const { accountsText } = await import('../accounts/account-output.ts')
  process.stdout.write(accountsText(items, output))
}
