import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addRepositoryAddCommand } from './repo-add.ts'
import { addRepositoryGetCommand } from './repo-get.ts'
import { addRepositoryListCommand } from './repo-list.ts'
import { addRepositoryRemoveCommand } from './repo-rm.ts'

/** Adds `repo` with its sub-commands. */
export function addRepositoryCommands(program: Command, session: CommandSession): void {
  const repo = explain(program.command('repo'), 'Manage repositories and their credentials.', [
    'wadi repo list',
    'wadi repo add https://git.example.com/deploy.git --username ci',
  ])
  addRepositoryAddCommand(repo, session)
  addRepositoryListCommand(repo, session)
  addRepositoryGetCommand(repo, session)
  addRepositoryRemoveCommand(repo, session)
}
