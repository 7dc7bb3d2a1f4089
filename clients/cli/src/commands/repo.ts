import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addRepositoryAddCommand } from './repo-add.ts'
import { addRepositoryGetCommand } from './repo-get.ts'
import { addRepositoryListCommand } from './repo-list.ts'
import { addRepositoryRemoveCommand } from './repo-rm.ts'

/** Defines the sub-commands of `repo`. */
export function defineRepositoryCommands(repo: Command, session: CommandSession): void {
  showExamples(repo, 'wadi repo list', 'wadi repo add https://git.example.com/deploy.git --username ci')
  addRepositoryAddCommand(repo, session)
  addRepositoryListCommand(repo, session)
  addRepositoryGetCommand(repo, session)
  addRepositoryRemoveCommand(repo, session)
}
