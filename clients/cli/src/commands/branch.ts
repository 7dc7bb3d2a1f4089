import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBranchGetCommand } from './branch-get.ts'
import { addBranchListCommand } from './branch-list.ts'

/** Adds `branch` with its sub-commands. */
export function addBranchCommands(program: Command, session: CommandSession): void {
  const branch = explain(program.command('branch'), 'List and show hydrated branches.', [
    'wadi branch list',
    'wadi branch get environments/prod',
  ])
  addBranchListCommand(branch, session)
  addBranchGetCommand(branch, session)
}
