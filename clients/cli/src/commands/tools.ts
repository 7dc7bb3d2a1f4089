import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addToolsAddCommand } from './tools-add.ts'
import { addToolsListCommand } from './tools-list.ts'
import { addToolsRemoveCommand } from './tools-rm.ts'
import { addToolsVerifyCommand } from './tools-verify.ts'

/** Defines the sub-commands of `tools`. */
export function defineToolsCommands(tools: Command, session: CommandSession): void {
  showExamples(tools, 'wadi tools list', 'wadi tools verify')
  tools.addHelpText(
    'after',
    '\nThose of this machine are for "wadi up" and local rendering: in WADI_TOOLS_DIRECTORY, else in tools of the data directory.',
  )
  addToolsListCommand(tools, session)
  addToolsAddCommand(tools, session)
  addToolsRemoveCommand(tools, session)
  addToolsVerifyCommand(tools, session)
}
