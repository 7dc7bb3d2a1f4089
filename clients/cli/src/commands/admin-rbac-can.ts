import type { DecidingRule, Explanation } from '@wadi/rbac/decide/enforcer.ts'
import { ruleText } from '@wadi/rbac/policy/rule-text.ts'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

interface CanFlags {
  policyFile: string
  defaultRole?: string
  useRegexMatch?: boolean
  strict: boolean
  groups?: string[]
  projectFile?: string[]
  explain?: boolean
  output: 'text' | 'json'
}

interface Request {
  subject: string
  groups: string[]
  resource: string
  action: string
  object: string
}

const failedCheckExitCode = 1

/** Adds `admin rbac can`. */
export function addRbacCanCommand(rbac: Command, session: CommandSession): void {
  const command = rbac
    .command('can')
    .argument('<subject>', 'role, user, or token of a project role (proj:<project>:<role>)')
    .argument('<action>', 'get, create, update, delete, sync, override, action/<group>/<kind>/<name>, …')
    .argument('<resource>', 'applications, applicationsets, clusters, projects, repositories, …')
    .argument('[object]', 'object of the action, for example dev/web (default: everything)')
    .requiredOption('--policy-file <file>', 'policy in CSV, or the ConfigMap argocd-rbac-cm')
    .option('--default-role <role>', 'default role (default: policy.default of the ConfigMap)')
    .option('--use-regex-match', 'how patterns match (default: policy.matchMode)')
    .option('--no-strict', 'also accept unknown actions and resources')
    .option('--groups <names>', 'groups of the user, separated by commas (repeatable)', collect)
    .option('--project-file <file>', 'AppProjects whose roles apply (repeatable)', collect)
    .option('--explain', 'show the rule that decided')
    .addOption(outputOption('text', 'json'))
    .action(
      (subject: string, action: string, resource: string, object: string | undefined, flags: CanFlags) =>
        answer(session, { subject, action, resource, object: object ?? '' }, flags),
    )
  explain(command, 'Show whether a role or user may do something, without a server.', [
    'wadi admin rbac can role:dev sync applications dev/web --policy-file policy.csv',
    'wadi admin rbac can ada delete app prod/web --groups dev,ops --policy-file argocd-rbac-cm.yaml --explain',
  ])
  completeWith(command, 'rbac-words')
  command.addHelpText(
    'after',
    '\nExit codes: 0 yes, 1 no, 20 error. A deny rule overrides every allow rule unless the ConfigMap has policy.denyWins: "false".',
  )
}

async function answer(
  session: CommandSession,
  asked: Omit<Request, 'groups'>,
  flags: CanFlags,
): Promise<void> {
  const request = await readRequest(asked, flags)
  const explanation = await decide(session, request, flags)
  const { rules, ignored, allowed } = explanation
  for (const { identity, rule } of ignored) {
    session.warn(
      `${rule.at}: does not count, because no line "g, ${identity}, <role>" has the group as a member`,
    )
  }
  if (flags.output === 'json') {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText({ allowed, ...request, rules: rules.map(ruleObject) }, 'json'))
  } else {
    process.stdout.write(`${allowed ? 'Yes' : 'No'}\n`)
    if (flags.explain) process.stdout.write(await explanationText(explanation))
  }
  if (!allowed) process.exitCode = failedCheckExitCode
}

/** @throws CommandFailure for an action or a resource that no request has, unless `--strict=false`. */
async function readRequest(asked: Omit<Request, 'groups'>, flags: CanFlags): Promise<Request> {
  const { nearestName } = await import('@wadi/errors/nearest-name.ts')
  const { findResource, hasAction, rbacResources } =
    await import('@wadi/rbac/policy/resources-and-actions.ts')
  const { readCsvRecord } = await import('@wadi/rbac/policy/csv-record.ts')
  const known = findResource(asked.resource)
  const suggestion = (word: string, names: readonly string[]) => {
    const nearest = nearestName(word, names)
    return nearest === undefined ? `; there are ${names.join(', ')}` : `; did you mean ${nearest}?`
  }
  if (flags.strict && !known) {
    const names = rbacResources.map(({ name }) => name)
    throw new CommandFailure(`there is no resource ${asked.resource}${suggestion(asked.resource, names)}`)
  }
  if (flags.strict && known && !hasAction(known, asked.action)) {
    throw new CommandFailure(
      `there is no action ${asked.action} for ${known.name}${suggestion(asked.action, known.actions)}`,
    )
  }
  const groups = (flags.groups ?? []).flatMap((text) => {
    const names = readCsvRecord(text)
    if (typeof names === 'string') throw new CommandFailure(`--groups ${text}: ${names}`, 1)
    return names.filter((name) => name !== '')
  })
  const isEverything = asked.object === '' || asked.object === '*'
  const object = known?.inProjects && isEverything ? '*/*' : asked.object
  return { ...asked, resource: known?.name ?? asked.resource, object, groups }
}

async function decide(session: CommandSession, request: Request, flags: CanFlags): Promise<Explanation> {
  const { readPolicyFile, readProjectFiles } = await import('./admin-rbac-files.ts')
  const { readPolicyConfig } = await import('@wadi/rbac/policy/read-policy-config.ts')
  const { Enforcer } = await import('@wadi/rbac/decide/enforcer.ts')
  const { projectPolicy } = await import('@wadi/rbac/projects/project-policy.ts')
  const { data, place } = await readPolicyFile(flags.policyFile)
  const config = readPolicyConfig(Object.fromEntries(data), place)
  const projects = await readProjectFiles(flags.projectFile ?? [], session.signal)
  const policies = projects.map(projectPolicy)
  for (const { error } of policies) if (error !== undefined) session.warn(`no role counts: ${error}`)
  const enforcer = new Enforcer(
    {
      ...config,
      defaultRole: flags.defaultRole ?? config.defaultRole,
      matchMode: flags.useRegexMatch ? 'regex' : config.matchMode,
    },
    policies,
  )
  const { subject: sub, groups, resource, action, object } = request
  return enforcer.explain({ sub, groups }, resource, action, object)
}

async function explanationText({ rules }: Explanation): Promise<string> {
  const { printable } = await import('../output/printable.ts')
  if (rules.length === 0) return 'no rule allows it\n'
  return rules
    .map(({ effect, identity, rule }) => {
      const who = identity === '' ? 'everybody' : identity
      return `${printable(`${effect} for ${who}: ${ruleText(rule)} (${rule.at})`)}\n`
    })
    .join('')
}

function ruleObject({ effect, identity, rule }: DecidingRule) {
  return { effect, identity, rule: ruleText(rule), at: rule.at }
}
