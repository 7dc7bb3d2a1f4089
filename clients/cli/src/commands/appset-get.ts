import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  output: 'wide' | 'json' | 'yaml'
  appsetNamespace?: string
  showParams?: boolean
}

/** Adds `appset get`. */
export function addSetGetCommand(appset: Command, session: CommandSession): void {
  const command = appset
    .command('get')
    .argument('<name>', 'NAME or NAMESPACE/NAME')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .option('-N, --appset-namespace <namespace>', 'namespace of the set')
    .option('--show-params', "also show the Helm parameters of the set's template")
    .action((name: string, flags: GetFlags) => showSet(session, name, flags))
  explain(command, 'Show an ApplicationSet, its conditions and the Applications that it owns.', [
    'wadi appset get cluster-addons',
    'wadi appset get teams/cluster-addons -o yaml',
  ])
  command.addHelpText('after', '\nExit codes: 0 done, 20 not found or failed.')
  completeWith(command, 'application-sets')
}

async function showSet(session: CommandSession, name: string, flags: GetFlags): Promise<void> {
  const { getApplicationSet } = await import('../application-sets/owner.ts')
  const { applications, applicationSets } = await session.connect('applications', 'applicationSets')
  const qualified = parseQualifiedName(name, flags.appsetNamespace)
  const set = await getApplicationSet(applicationSets, qualified, session.signal)
  if (flags.output === 'wide') {
    const { applicationSetBlock } = await import('../application-sets/block.ts')
    const namespace = textAt(set, 'metadata', 'namespace')
    const answer = await applications.listApplications({ namespace }, { signal: session.signal })
    process.stdout.write(`${applicationSetBlock(set)}\n${await childTable(answer.applications, set)}`)
    if (flags.showParams) process.stdout.write(await parameterTable(set))
  } else {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(set, flags.output))
  }
}

async function parameterTable(set: JsonObject): Promise<string> {
  const { sourcesOf } = await import('../application-sets/sources.ts')
  const { tableText } = await import('../output/table.ts')
  const parameters = sourcesOf(objectAt(set, 'spec', 'template', 'spec')).flatMap((source) => {
    return listAt(source, 'helm', 'parameters')
  })
  const rows = parameters.map((parameter) => [textAt(parameter, 'name'), textAt(parameter, 'value')])
  return rows.length === 0
    ? '\nIts template sets no Helm parameter.\n'
    : `\n${tableText(['NAME', 'VALUE'], rows)}`
}

async function childTable(applications: readonly JsonObject[], set: JsonObject): Promise<string> {
  const { ownedApplications } = await import('../application-sets/owner.ts')
  const { hydrationState, shortSha } = await import('../applications/hydration-state.ts')
  const { tableText } = await import('../output/table.ts')
  const rows = ownedApplications(applications, set).map((application) => {
    const state = hydrationState(application)
    return [
      textAt(application, 'metadata', 'name'),
      textAt(application, 'spec', 'project'),
      state.status,
      shortSha(state.drySha),
      shortSha(state.hydratedSha),
    ]
  })
  if (rows.length === 0) return 'It owns no Application.\n'
  return tableText(['APPLICATION', 'PROJECT', 'STATUS', 'DRY-SHA', 'HYDRATED-SHA'], rows)
}
