import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

/** Adds `proj role add-group` and `remove-group`. */
export function addRoleGroupCommands(role: Command, session: CommandSession): void {
  const command = (name: string) =>
    role
      .command(name)
      .argument('<project>', 'project')
      .argument('<role>', 'role')
      .argument('<group>', 'name of the group at the OpenID provider')
  explain(
    command('add-group').action((project: string, name: string, group: string) =>
      addGroup(session, project, name, group),
    ),
    'Add a group to a role of a project.',
    ['wadi proj role add-group dev ci platform-team'],
  )
  explain(
    command('remove-group').action((project: string, name: string, group: string) =>
      removeGroup(session, project, name, group),
    ),
    'Remove a group from a role of a project.',
    ['wadi proj role remove-group dev ci platform-team'],
  )
}

async function addGroup(
  session: CommandSession,
  project: string,
  role: string,
  group: string,
): Promise<void> {
  const { changeRole } = await import('../projects/project-role.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  const isChanged = await changeRole(session, project, role, (stored) => {
    const groups = textsAt(stored, 'groups')
    return groups.includes(group) ? undefined : { ...stored, groups: [...groups, group] }
  })
  const outcome = isChanged ? 'added to' : 'already present in'
  process.stdout.write(`Group '${printable(group)}' ${outcome} role '${printable(role)}'\n`)
}

async function removeGroup(
  session: CommandSession,
  project: string,
  role: string,
  group: string,
): Promise<void> {
  const { changeRole } = await import('../projects/project-role.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  await changeRole(session, project, role, (stored) => {
    const groups = textsAt(stored, 'groups')
    const others = groups.filter((known) => known !== group)
    if (others.length < groups.length) return { ...stored, groups: others }
    throw new CommandFailure(`group '${printable(group)}' is not in role '${printable(role)}'`)
  })
  process.stdout.write(`Group '${printable(group)}' removed from role '${printable(role)}'\n`)
}
