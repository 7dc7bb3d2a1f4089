import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBcryptCommand } from './account-bcrypt.ts'
import { addCanICommand } from './account-can-i.ts'
import { addAccountGetCommand } from './account-get.ts'
import { addAccountListCommand } from './account-list.ts'
import { addSessionTokenCommand } from './account-session-token.ts'
import { addDeleteTokenCommand, addGenerateTokenCommand } from './account-token.ts'
import { addUpdatePasswordCommand } from './account-update-password.ts'
import { addUserInfoCommand } from './account-user-info.ts'

/** Defines the sub-commands of `account`. */
export function defineAccountCommands(account: Command, session: CommandSession): void {
  showExamples(account, 'wadi account get-user-info', "wadi account can-i create applications 'dev/*'")
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
