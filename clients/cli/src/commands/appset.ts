import type { Command } from 'commander'
import { addYesFlag, agreeToDeletions } from '../application-sets/deletions.ts'
import { parseQualifiedName, qualifiedName } from '../applications/application-name.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { timeoutOption } from '../command-line/timeout-option.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import { addSetApplyCommand } from './appset-apply.ts'
import { addSetCreateCommand } from './appset-create.ts'
import { addSetDeleteCommand } from './appset-delete.ts'
import { addSetDiffCommand } from './appset-diff.ts'
import { addGenerateCommand } from './appset-generate.ts'
import { addSetGetCommand } from './appset-get.ts'

const applicationSetCommands = [
  addSetCreateCommand,
  addSetApplyCommand,
  addSetGetCommand,
  addSetListCommand,
  addSetDeleteCommand,
  addGenerateCommand,
  addSetDiffCommand,
  addSetRefreshCommand,
]

/** Defines the sub-commands of `appset`. */
export function defineApplicationSetCommands(appset: Command, session: CommandSession): void {
  showExamples(
    appset,
    'wadi appset create cluster-addons.yaml',
    'wadi appset list',
    'wadi appset diff cluster-addons.yaml',
  )
  for (const addCommand of applicationSetCommands) addCommand(appset, session)
}

interface ListFlags {
  output: 'wide' | 'name' | 'json' | 'yaml'
  selector?: string
  project?: string[]
  appsetNamespace?: string
}

/** Adds `appset list`. */
function addSetListCommand(appset: Command, session: CommandSession): void {
  const command = appset
    .command('list')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .option('-l, --selector <selector>', 'label selector, as for kubectl')
    .option('-p, --project <name>', 'only sets with Applications of this AppProject (repeatable)', collect)
    .option('-N, --appset-namespace <namespace>', 'only sets of this namespace')
    .action((flags: ListFlags) => listSets(session, flags))
  explain(command, 'List ApplicationSets with their state and the number of their Applications.', [
    'wadi appset list',
    'wadi appset list -p web -l team=shop -o name',
  ])
  command.addHelpText('after', '\nExit codes: 0 done, even if there are none; 20 failed.')
}

async function listSets(session: CommandSession, flags: ListFlags): Promise<void> {
  const { applicationSets: service } = await session.connect('applicationSets')
  const { applicationSets } = await service.listApplicationSets(
    {
      namespace: flags.appsetNamespace ?? '',
      selector: flags.selector ?? '',
      projects: flags.project ?? [],
    },
    { signal: session.signal },
  )
  if (flags.output === 'wide') {
    const { applicationSetTable } = await import('../application-sets/table.ts')
    process.stdout.write(applicationSetTable(applicationSets))
  } else if (flags.output === 'name') {
    process.stdout.write(applicationSets.map((set) => `${printable(qualifiedName(set))}\n`).join(''))
  } else {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(applicationSets, flags.output))
  }
}

interface RefreshFlags {
  confirm?: boolean
  yes?: boolean
  wait?: boolean
  timeout: number
  appsetNamespace?: string
}

/** Adds `appset refresh`. */
function addSetRefreshCommand(appset: Command, session: CommandSession): void {
  const command = addYesFlag(appset.command('refresh'))
    .argument('<name...>', 'NAME or NAMESPACE/NAME')
    .option('--confirm', 'confirm deletions, even of many or all Applications of a set; includes --yes')
    .option('--wait', 'wait until the status of the set shows the result')
    .addOption(timeoutOption())
    .option('-N, --appset-namespace <namespace>', 'namespace of the sets')
    .action((names: string[], flags: RefreshFlags) => refreshSets(session, names, flags))
  explain(command, 'Generate ApplicationSets again now, and confirm waiting deletions.', [
    'wadi appset refresh cluster-addons',
    'wadi appset refresh cluster-addons --confirm',
  ])
  command.addHelpText(
    'after',
    '\nExit codes: 0 done; 20 failed, nobody agreed to deletions, or they wait for --confirm.',
  )
  completeWith(command, 'application-sets')
}

async function refreshSets(session: CommandSession, names: string[], flags: RefreshFlags): Promise<void> {
  const qualified = names.map((name) => parseQualifiedName(name, flags.appsetNamespace))
  const { changeTable, requireNoneWithheld, reportWithheld } = await import('../application-sets/changes.ts')
  const { applicationSets } = await session.connect('applicationSets')
  const { signal } = session
  const { confirm: confirmDeletions = false, yes = confirmDeletions } = flags
  const waiting: string[] = []
  for (const set of qualified) {
    const request = { ...set, confirmDeletions }
    const tried = await applicationSets.refreshApplicationSet({ ...request, dryRun: true }, { signal })
    await agreeToDeletions(set.name, tried.changes, { yes, signal })
    const reviewed = { ...request, reviewedPlan: tried.plan }
    const answer = await applicationSets.refreshApplicationSet(reviewed, { signal })
    process.stdout.write(`applicationset '${printable(set.name)}' refreshed\n${changeTable(answer.changes)}`)
    waiting.push(...reportWithheld(session, set.name, answer.withheld))
    if (!flags.wait) continue
    const { waitUntilUpToDate } = await import('../application-sets/wait.ts')
    const options = { signal, timeoutSeconds: flags.timeout }
    await waitUntilUpToDate(applicationSets, set, answer.applicationSet ?? {}, options)
  }
  requireNoneWithheld(waiting)
}
