import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addRoleChangeCommands } from './proj-role-change.ts'
import { addRoleGroupCommands } from './proj-role-group.ts'
import { addRolePolicyCommands } from './proj-role-policy.ts'
import { addRoleShowCommands } from './proj-role-show.ts'
import { addRoleTokenCommands } from './proj-role-token.ts'

/** Adds `proj role` with its sub-commands. */
export function addProjectRoleCommands(proj: Command, session: CommandSession): void {
  const role = explain(proj.command('role'), 'Manage the roles of a project: policies, groups and tokens.', [
    'wadi proj role list dev',
    'wadi proj role create-token dev ci --expires-in 7d --token-only',
  ])
  addRoleShowCommands(role, session)
  addRoleChangeCommands(role, session)
  addRolePolicyCommands(role, session)
  addRoleGroupCommands(role, session)
  addRoleTokenCommands(role, session)
}
