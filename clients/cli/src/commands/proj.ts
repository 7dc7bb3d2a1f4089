import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addProjectCreateCommand } from './proj-create.ts'
import { addProjectDeleteCommand } from './proj-delete.ts'
import { addProjectDestinationCommands } from './proj-destination.ts'
import { addProjectGetCommand } from './proj-get.ts'
import { addProjectListCommand } from './proj-list.ts'
import { addProjectRoleCommands } from './proj-role.ts'
import { addProjectSetCommand } from './proj-set.ts'
import { addProjectSourceCommands } from './proj-source.ts'

/** Defines the sub-commands of `proj`. */
export function defineProjectCommands(proj: Command, session: CommandSession): void {
  showExamples(
    proj,
    'wadi proj list',
    'wadi proj create dev --src https://git.example.com/deploy.git --dest https://kubernetes.default.svc,dev',
  )
  addProjectListCommand(proj, session)
  addProjectGetCommand(proj, session)
  addProjectCreateCommand(proj, session)
  addProjectSetCommand(proj, session)
  addProjectDeleteCommand(proj, session)
  addProjectSourceCommands(proj, session)
  addProjectDestinationCommands(proj, session)
  addProjectRoleCommands(proj, session)
}
