import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBranchGetCommand } from './branch-get.ts'
import { addBranchListCommand } from './branch-list.ts'

/** Defines the sub-commands of `branch`. */
export function defineBranchCommands(branch: Command, session: CommandSession): void {
  showExamples(branch, 'wadi branch list', 'wadi branch get environments/prod')
  addBranchListCommand(branch, session)
  addBranchGetCommand(branch, session)
}
