import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { expiresInOption } from '../command-line/duration-value.ts'
import { printable } from '../output/printable.ts'

interface CreateFlags {
  expiresIn: bigint
  id?: string
  tokenOnly?: boolean
}

/** Adds `proj role create-token`, `delete-token` and `list-tokens`. */
export function addRoleTokenCommands(role: Command, session: CommandSession): void {
  const command = (name: string) =>
    role.command(name).argument('<project>', 'project').argument('<role>', 'role')
  explain(
    command('create-token')
      .addOption(expiresInOption())
      .option('-i, --id <id>', 'id to list and delete the token by (default: random)')
      .option('-t, --token-only', 'print only the token')
      .action((project: string, name: string, flags: CreateFlags) =>
        createToken(session, project, name, flags),
      ),
    'Create a token for a role of a project, and print it.',
    ['wadi proj role create-token dev ci --expires-in 7d --id pipeline --token-only'],
  )
  explain(
    command('delete-token')
      .argument('<id>', 'id of the token, from "wadi proj role list-tokens"')
      .action((project: string, name: string, id: string) => deleteToken(session, project, name, id)),
    'Revoke a token of a role of a project.',
    ['wadi proj role delete-token dev ci pipeline'],
  )
  explain(
    command('list-tokens')
      .option('-u, --unixtime', 'print times in seconds since 1970')
      .action((project: string, name: string, flags: { unixtime?: boolean }) =>
        listTokens(session, project, name, flags),
      ),
    'List the tokens of a role of a project. The tokens themselves are not shown.',
    ['wadi proj role list-tokens dev ci'],
  )
}

async function createToken(
  session: CommandSession,
  project: string,
  role: string,
  { expiresIn, id: wantedId = '', tokenOnly }: CreateFlags,
): Promise<void> {
  const { projects } = await session.connect('projects')
  const { token, id, issuedAt, expiresAt } = await projects.createProjectToken(
    { project, role, expiresIn, id: wantedId },
    { signal: session.signal },
  )
  if (tokenOnly) {
    process.stdout.write(`${printable(token)}\n`)
    return
  }
  const { expiryText, timeText } = await import('../output/time-text.ts')
  process.stdout.write(
    `Create token succeeded for ${printable(`proj:${project}:${role}`)}.\n  ID: ${printable(id)}\n` +
      `  Issued At: ${timeText(issuedAt)}\n  Expires At: ${expiryText(expiresAt)}\n  Token: ${printable(token)}\n`,
  )
}

async function deleteToken(
  session: CommandSession,
  project: string,
  role: string,
  id: string,
): Promise<void> {
  const { projects } = await session.connect('projects')
  await projects.deleteProjectToken({ project, role, id }, { signal: session.signal })
  process.stdout.write(`Token '${printable(id)}' of ${printable(`proj:${project}:${role}`)} deleted\n`)
}

async function listTokens(
  session: CommandSession,
  name: string,
  role: string,
  { unixtime = false }: { unixtime?: boolean },
): Promise<void> {
  const { projects } = await session.connect('projects')
  const { project = {} } = await projects.getProject({ name }, { signal: session.signal })
  const { tokensOfRole } = await import('../projects/project-role.ts')
  const { tokenTable } = await import('../projects/role-token-table.ts')
  process.stdout.write(tokenTable(tokensOfRole(project, role), unixtime))
}
