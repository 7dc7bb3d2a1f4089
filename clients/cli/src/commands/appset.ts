import type { Command } from 'commander'
import { explain } from '../command-help.ts'
import type { CommandSession } from '../command-session.ts'
import { addGenerateCommand } from './appset-generate.ts'

/** Adds `appset` with its sub-commands. */
export function addApplicationSetCommands(program: Command, session: CommandSession): void {
  const appset = explain(program.command('appset'), 'See what ApplicationSets make.', [
    'wadi appset generate guestbook-set.yaml',
  ])
  addGenerateCommand(appset, session)
}
