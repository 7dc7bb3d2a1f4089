import { Option } from 'commander'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

interface PolicyFlags {
  action: string
  permission: 'allow' | 'deny'
  object: string
  resource: string
}

/** Adds `proj role add-policy` and `remove-policy`. */
export function addRolePolicyCommands(role: Command, session: CommandSession): void {
  const command = (name: string) =>
    role
      .command(name)
      .argument('<project>', 'project')
      .argument('<role>', 'role')
      .requiredOption('-a, --action <action>', 'get, create, update, delete, sync, override, *, …')
      .requiredOption('-o, --object <pattern>', 'objects in the project: web, *, namespace/web, …')
      .addOption(
        new Option('-p, --permission <effect>', 'effect of the rule')
          .choices(['allow', 'deny'])
          .default('allow'),
      )
      .option(
        '-r, --resource <resource>',
        'applications, applicationsets, logs, exec, secrets, clusters, repositories',
        'applications',
      )
  explain(
    command('add-policy').action((project: string, name: string, flags: PolicyFlags) =>
      addPolicy(session, project, name, flags),
    ),
    'Add a rule to a role of a project.',
    ["wadi proj role add-policy dev ci --action sync --object 'web-*'"],
  )
  explain(
    command('remove-policy').action((project: string, name: string, flags: PolicyFlags) =>
      removePolicy(session, project, name, flags),
    ),
    'Remove a rule from a role of a project.',
    ["wadi proj role remove-policy dev ci --action sync --object 'web-*'"],
  )
}

async function addPolicy(
  session: CommandSession,
  project: string,
  role: string,
  flags: PolicyFlags,
): Promise<void> {
  const { changeRole } = await import('../projects/project-role.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  const policy = policyLine(project, role, flags)
  const isChanged = await changeRole(session, project, role, (stored) => {
    const policies = textsAt(stored, 'policies')
    return policies.some((known) => isSame(known, policy))
      ? undefined
      : { ...stored, policies: [...policies, policy] }
  })
  process.stdout.write(
    `Policy '${printable(policy)}' ${isChanged ? 'added to' : 'already present in'} role '${printable(role)}'\n`,
  )
}

async function removePolicy(
  session: CommandSession,
  project: string,
  role: string,
  flags: PolicyFlags,
): Promise<void> {
  const { changeRole } = await import('../projects/project-role.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  const policy = policyLine(project, role, flags)
  await changeRole(session, project, role, (stored) => {
    const policies = textsAt(stored, 'policies')
    const others = policies.filter((known) => !isSame(known, policy))
    if (others.length < policies.length) return { ...stored, policies: others }
    throw new CommandFailure(
      `role '${printable(role)}' has no policy '${printable(policy)}'; see "wadi proj role get"`,
    )
  })
  process.stdout.write(`Policy '${printable(policy)}' removed from role '${printable(role)}'\n`)
}

function policyLine(
  project: string,
  role: string,
  { resource, action, object, permission }: PolicyFlags,
): string {
  return `p, proj:${project}:${role}, ${resource}, ${action}, ${project}/${object}, ${permission}`
}

/** Blanks around the commas are ignored. */
function isSame(one: string, other: string): boolean {
  const parts = (policy: string) => policy.split(',').map((part) => part.trim())
  return parts(one).join(',') === parts(other).join(',')
}
