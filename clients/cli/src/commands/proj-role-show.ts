import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import { tableText } from '../output/table.ts'
import { outputOption } from '../output/output-option.ts'

interface OutputFlags {
  output: 'wide' | 'name' | 'json' | 'yaml'
}

/** Adds `proj role list` and `get`. */
export function addRoleShowCommands(role: Command, session: CommandSession): void {
  const output = () => outputOption('wide', 'name', 'json', 'yaml')
  explain(
    role
      .command('list')
      .argument('<project>', 'project')
      .addOption(output())
      .action((project: string, flags: OutputFlags) => listRoles(session, project, flags)),
    'List the roles of a project.',
    ['wadi proj role list dev'],
  )
  explain(
    role
      .command('get')
      .argument('<project>', 'project')
      .argument('<role>', 'role')
      .addOption(output())
      .action((project: string, name: string, flags: OutputFlags) => getRole(session, project, name, flags)),
    'Show a role of a project with its policies, groups and tokens.',
    ['wadi proj role get dev ci'],
  )
}

async function listRoles(session: CommandSession, name: string, { output }: OutputFlags): Promise<void> {
  const { projects } = await session.connect('projects')
  const { project = {} } = await projects.getProject({ name }, { signal: session.signal })
  const { objectsAt } = await import('../projects/project-spec.ts')
  const roles = objectsAt(project, 'spec', 'roles')
  if (output === 'json' || output === 'yaml') {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(roles, output))
  } else if (output === 'name') {
    process.stdout.write(roles.map((role) => `${printable(textAt(role, 'name'))}\n`).join(''))
  } else {
    const rows = roles.map((role) => [textAt(role, 'name'), textAt(role, 'description')])
    process.stdout.write(tableText(['ROLE-NAME', 'DESCRIPTION'], rows))
  }
}

async function getRole(
  session: CommandSession,
  name: string,
  roleName: string,
  { output }: OutputFlags,
): Promise<void> {
  const { projects } = await session.connect('projects')
  const { project = {} } = await projects.getProject({ name }, { signal: session.signal })
  const { findRole, tokensOfRole } = await import('../projects/project-role.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  const { tokenTable } = await import('../projects/role-token-table.ts')
  const role = findRole(project, roleName)
  if (output === 'json' || output === 'yaml') {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(role, output))
    return
  }
  if (output === 'name') {
    process.stdout.write(`${printable(roleName)}\n`)
    return
  }
  // Argo CD gives every role the right to read its project.
  const policies = [
    `p, proj:${name}:${roleName}, projects, get, ${name}, allow`,
    ...textsAt(role, 'policies'),
  ]
  process.stdout.write(
    `Role Name:     ${printable(roleName)}\nDescription:   ${printable(textAt(role, 'description'))}\n` +
      `Policies:\n${linesOf(policies)}Groups:\n${linesOf(textsAt(role, 'groups'))}` +
      `JWT Tokens:\n${tokenTable(tokensOfRole(project, roleName))}`,
  )
}

function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${printable(text)}\n`).join('')
}
