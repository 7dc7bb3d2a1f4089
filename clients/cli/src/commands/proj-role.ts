import { textAt } from '@wadi/fields/json-fields.ts'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'
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

/** Adds `proj role create` and `delete`. */
function addRoleChangeCommands(role: Command, session: CommandSession): void {
  explain(
    role
      .command('create')
      .argument('<project>', 'project')
      .argument('<role>', 'role')
      .option('--description <text>', 'description of the role')
      .action((project: string, name: string, flags: { description?: string }) =>
        createRole(session, project, name, flags),
      ),
    'Create a role in a project. It may only read the project at first.',
    ['wadi proj role create dev ci --description "Pipelines of the team"'],
  )
  explain(
    role
      .command('delete')
      .argument('<project>', 'project')
      .argument('<role>', 'role')
      .action((project: string, name: string) => deleteRole(session, project, name)),
    'Delete a role of a project and revoke its tokens.',
    ['wadi proj role delete dev ci'],
  )
}

async function createRole(
  session: CommandSession,
  project: string,
  name: string,
  { description }: { description?: string },
): Promise<void> {
  const { changeProject } = await import('../projects/project-change.ts')
  const { objectsAt } = await import('../projects/project-spec.ts')
  await changeProject(session, project, (spec) => {
    const roles = objectsAt(spec, 'roles')
    if (roles.some((role) => textAt(role, 'name') === name)) {
      throw new CommandFailure(`role '${printable(name)}' exists already in project '${printable(project)}'`)
    }
    return { ...spec, roles: [...roles, { name, ...(description !== undefined && { description }) }] }
  })
  process.stdout.write(`Role '${printable(name)}' created\n`)
}

async function deleteRole(session: CommandSession, project: string, name: string): Promise<void> {
  const { changeProject } = await import('../projects/project-change.ts')
  const { findRole } = await import('../projects/project-role.ts')
  const { objectsAt } = await import('../projects/project-spec.ts')
  await changeProject(session, project, (spec) => {
    const role = findRole({ metadata: { name: project }, spec }, name)
    return { ...spec, roles: objectsAt(spec, 'roles').filter((known) => known !== role) }
  })
  process.stdout.write(`Role '${printable(name)}' deleted\n`)
}
