import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addToolsAddCommand } from './tools-add.ts'
import { addToolsListCommand } from './tools-list.ts'
import { addToolsRemoveCommand } from './tools-rm.ts'
import { addToolsVerifyCommand } from './tools-verify.ts'

/** Adds `tools` with its sub-commands. */
export function addToolsCommands(program: Command, session: CommandSession): void {
  const tools = explain(
    program.command('tools'),
    'Manage the versions of Helm and Kustomize that git may ask for, on this machine or a server.',
    ['wadi tools list', 'wadi tools verify'],
  )
  tools.addHelpText(
    'after',
    '\nThose of this machine are for "wadi up" and local rendering: in WADI_TOOLS_DIRECTORY, else in tools of the data directory.',
  )
  addToolsListCommand(tools, session)
  addToolsAddCommand(tools, session)
  addToolsRemoveCommand(tools, session)
  addToolsVerifyCommand(tools, session)
}
