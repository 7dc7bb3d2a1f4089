import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { explain } from '../command-help.ts'
import { collect } from '../command-line-values.ts'
import type { CommandSession } from '../command-session.ts'

interface ValidateFlags {
  policyFile: string
  projectFile?: string[]
}

/** Adds `admin rbac validate`. */
export function addRbacValidateCommand(rbac: Command, session: CommandSession): void {
  const command = rbac
    .command('validate')
    .requiredOption('--policy-file <file>', 'lines of a policy, or the ConfigMap argocd-rbac-cm')
    .option('--project-file <file>', 'AppProjects whose roles are checked too (repeatable)', collect)
    .action((flags: ValidateFlags) => validate(session, flags))
  explain(
    command,
    'Check a policy, and warn of what it probably does not mean to say; no server is needed.',
    [
      'wadi admin rbac validate --policy-file policy.csv',
      'wadi admin rbac validate --policy-file argocd-rbac-cm.yaml --project-file projects/dev.yaml',
    ],
  )
  command.addHelpText('after', '\nExit codes: 0 valid, 1 invalid, 20 error.')
}

async function validate(session: CommandSession, flags: ValidateFlags): Promise<void> {
  const { readPolicyFile } = await import('./admin-rbac-files.ts')
  const file = await readPolicyFile(flags.policyFile)
  const faults = [
    ...(await policyFaults(session, file)),
    ...(await projectFaults(session, flags.projectFile ?? [])),
  ]
  if (faults.length === 0) {
    process.stdout.write('Policy is valid.\n')
    return
  }
  const { withoutTerminalControls } = await import('../printable.ts')
  process.stdout.write(withoutTerminalControls(`Policy is invalid:\n${faults.join('\n')}\n`))
  throw new CommandFailure('', 1)
}
