import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBcryptCommand } from './account-bcrypt.ts'
import { addCanICommand } from './account-can-i.ts'
import { addAccountGetCommand } from './account-get.ts'
import { addAccountListCommand } from './account-list.ts'
import { addSessionTokenCommand } from './account-session-token.ts'
import { addDeleteTokenCommand, addGenerateTokenCommand } from './account-token.ts'
import { addUpdatePasswordCommand } from './account-update-password.ts'
import { addUserInfoCommand } from './account-user-info.ts'

/** Adds `account` with its sub-commands. */
export function addAccountCommands(program: Command, session: CommandSession): void {
  const account = explain(program.command('account'), 'Manage local accounts, and show your permissions.', [
    'wadi account get-user-info',
    "wadi account can-i create applications 'dev/*'",
  ])
  addAccountListCommand(account, session)
  addAccountGetCommand(account, session)
  addUserInfoCommand(account, session)
  addCanICommand(account, session)
  addUpdatePasswordCommand(account, session)
  addGenerateTokenCommand(account, session)
  addDeleteTokenCommand(account, session)
  addSessionTokenCommand(account, session)
  addBcryptCommand(account, session)
}
