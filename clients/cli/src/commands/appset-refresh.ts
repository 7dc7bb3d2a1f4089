import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { addYesFlag, agreeToDeletions } from '../application-sets/deletions.ts'
import { explain } from '../command-line/command-help.ts'
import { timeoutOption } from '../command-line/timeout-option.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../output/printable.ts'

interface RefreshFlags {
  confirm?: boolean
  yes?: boolean
  wait?: boolean
  timeout: number
  appsetNamespace?: string
}

/** Adds `appset refresh`. */
export function addSetRefreshCommand(appset: Command, session: CommandSession): void {
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
