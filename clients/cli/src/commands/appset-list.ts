import type { Command } from 'commander'
import { qualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: 'wide' | 'name' | 'json' | 'yaml'
  selector?: string
  project?: string[]
  appsetNamespace?: string
}

/** Adds `appset list`. */
export function addSetListCommand(appset: Command, session: CommandSession): void {
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
