import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unknownField } from '@wadi/fields/field-findings.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { PolicyFile } from './admin-rbac-files.ts'

interface ValidateFlags {
  policyFile: string
  projectFile?: string[]
}

/** Adds `admin rbac validate`. */
export function addRbacValidateCommand(rbac: Command, session: CommandSession): void {
  const command = rbac
    .command('validate')
    .requiredOption('--policy-file <file>', 'policy in CSV, or the ConfigMap argocd-rbac-cm')
    .option('--project-file <file>', 'AppProjects whose roles to check as well (repeatable)', collect)
    .action((flags: ValidateFlags) => validate(session, flags))
  explain(command, 'Check a policy and warn about likely mistakes, without a server.', [
    'wadi admin rbac validate --policy-file policy.csv',
    'wadi admin rbac validate --policy-file argocd-rbac-cm.yaml --project-file projects/dev.yaml',
  ])
  command.addHelpText('after', '\nExit codes: 0 valid, 1 invalid, 20 error.')
}

async function validate(session: CommandSession, flags: ValidateFlags): Promise<void> {
  const { readPolicyFile, readProjectFiles } = await import('./admin-rbac-files.ts')
  const file = await readPolicyFile(flags.policyFile)
  const projects = await readProjectFiles(flags.projectFile ?? [], session.signal)
  const errors = [...(await checkPolicy(file, session)), ...(await checkProjects(projects))]
  if (errors.length === 0) {
    process.stdout.write('Policy is valid.\n')
    return
  }
  const { withoutTerminalControls } = await import('../output/printable.ts')
  process.stdout.write(withoutTerminalControls(`Policy is invalid:\n${errors.join('\n')}\n`))
  process.exitCode = 1
}

/** Returns the errors of a policy; for one without any, warnings are printed. */
async function checkPolicy({ data, place }: PolicyFile, session: CommandSession): Promise<string[]> {
  const { readPolicyConfig } = await import('@wadi/rbac/policy/read-policy-config.ts')
  const { policyWarnings } = await import('@wadi/rbac/policy/policy-warnings.ts')
  try {
    const config = readPolicyConfig(Object.fromEntries(data), place)
    const at = (key: string) => `${place(key).source}:${place(key).firstLine}`
    for (const warning of [...settingWarnings(data, at), ...policyWarnings(config)]) session.warn(warning)
    return []
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return error.message.split('\n')
  }
}

const settings = ['policy.csv', 'policy.default', 'policy.matchMode', 'policy.denyWins', 'scopes']

function settingWarnings(data: ReadonlyMap<string, string>, at: (key: string) => string): string[] {
  const warnings = Array.from(data.keys())
    .filter((key) => !settings.includes(key) && !/^policy\..*\.csv$/s.test(key))
    .map((key) => `${at(key)}: ${unknownField(key, key, settings)}`)
  const mode = data.get('policy.matchMode') ?? 'glob'
  if (mode !== 'glob' && mode !== 'regex') {
    warnings.push(
      `${at('policy.matchMode')}: ${JSON.stringify(mode)} is neither glob nor regex; glob is used`,
    )
  }
  if (!Array.from(data.keys()).some((key) => key.endsWith('.csv'))) {
    warnings.push('the ConfigMap has no policy.csv, so the built-in roles are the whole policy')
  }
  return warnings
}

async function checkProjects(projects: readonly Resource[]): Promise<string[]> {
  const { checkProjectRoles } = await import('@wadi/rbac/projects/check-project-roles.ts')
  return projects.flatMap((project) =>
    checkProjectRoles(project).map((error) => `AppProject ${project.metadata.name}: ${error}`),
  )
}
