import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { parseQualifiedName, qualifiedName } from '../applications/application-name.ts'
import { getApplicationSet, ownedApplications } from '../application-sets/owner.ts'
import { listApplications } from '../applications/list-applications.ts'
import { applicationTable, tableFields } from '../applications/application-table.ts'
import { rendererFields, renderersOf, toolsOf } from '../applications/rendered-by.ts'
import { drySourcesIn } from '@wadi/resources/application/dry-source-objects.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: 'name' | 'json' | 'yaml' | 'wide'
  selector?: string
  project?: string[]
  repo?: string
  appset?: string
  renderer?: string[]
  tool?: string[]
  appNamespace?: string
}

/** Adds `app list`. */
export function addListCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('list')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .option('-l, --selector <selector>', 'label selector, as for kubectl')
    .option('-p, --project <name>', 'only Applications of this AppProject (repeatable)', collect)
    .option('-r, --repo <url>', 'only Applications with this dry repository')
    .option('--appset <name>', 'only Applications that this ApplicationSet owns, NAME or NAMESPACE/NAME')
    .option(
      '--renderer <name>',
      'only Applications of this renderer, such as helm or directory (repeatable)',
      collect,
    )
    .option(
      '--tool <name>',
      'only Applications that this tool or plugin renders, as "helm" or "helm v4.1.4" (repeatable)',
      collect,
    )
    .option('-N, --app-namespace <namespace>', 'only Applications of this namespace')
    .action((flags: ListFlags) => printList(session, flags))
  explain(command, 'List Applications and the state of their hydration.', [
    'wadi app list',
    'wadi app list -l team=web -o name',
    'wadi app list --appset cluster-addons',
    'wadi app list --tool "helm v4.1.4"',
  ])
}

async function printList(session: CommandSession, flags: ListFlags): Promise<void> {
  const set = flags.appset === undefined ? undefined : await readSet(session, flags.appset, flags)
  const listed = await listApplications(session, {
    namespace: set ? textAt(set, 'metadata', 'namespace') : (flags.appNamespace ?? ''),
    selector: flags.selector ?? '',
    projects: flags.project ?? [],
    fields: fieldsOf(flags.output),
  })
  const found = set ? ownedApplications(listed, set) : listed
  const applications = found.filter(hasRepository(flags)).filter(isRenderedBy(flags))
  if (flags.output === 'wide') {
    process.stdout.write(applicationTable(applications))
  } else if (flags.output === 'name') {
    process.stdout.write(applications.map((application) => `${qualifiedName(application)}\n`).join(''))
  } else {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(applications, flags.output))
  }
}

function hasRepository({ repo }: ListFlags): (application: JsonObject) => boolean {
  if (repo === undefined) return () => true
  const identity = repositoryIdentity(repo)
  return (application) =>
    drySourcesIn(application).some((source) => repositoryIdentity(textAt(source, 'repoURL')) === identity)
}

function isRenderedBy({ renderer, tool }: ListFlags): (application: JsonObject) => boolean {
  return (application) =>
    (renderer === undefined || renderersOf(application).some((name) => renderer.includes(name))) &&
    (tool === undefined ||
      toolsOf(application).some((used) => tool.some((wanted) => `${used} `.startsWith(`${wanted} `))))
}

const identityFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.ownerReferences',
  'spec.sourceHydrator.drySource.repoURL',
  'spec.sourceHydrator.drySources',
  ...rendererFields,
]

/** Returns the fields that the output shows: the rest of thousands of Applications is much to send. */
function fieldsOf(output: ListFlags['output']): string[] {
  if (output === 'name') return identityFields
  return output === 'wide' ? [...identityFields, ...tableFields] : []
}

async function readSet(session: CommandSession, name: string, flags: ListFlags): Promise<JsonObject> {
  const { applicationSets } = await session.connect('applicationSets')
  return getApplicationSet(applicationSets, parseQualifiedName(name, flags.appNamespace), session.signal)
}
