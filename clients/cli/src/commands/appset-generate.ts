import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { qualifiedName } from '../application-name.ts'
import { CommandFailure } from '../command-failure.ts'
import { explain } from '../command-help.ts'
import type { CommandSession } from '../command-session.ts'
import { listAt, objectAt, textAt, valueAt } from '../json-path.ts'
import type { InputObject } from '../object-input.ts'
import { tableText } from '../table.ts'

interface GenerateFlags {
  output: 'wide' | 'name' | 'json' | 'yaml'
  recursive?: boolean
  appsetNamespace?: string
}

/** Adds `appset generate`. */
export function addGenerateCommand(appset: Command, session: CommandSession): void {
  const command = appset
    .command('generate')
    .argument('<input...>', 'file, folder, URL or - for standard input')
    .addOption(
      new Option('-o, --output <format>', 'output').choices(['wide', 'name', 'json', 'yaml']).default('wide'),
    )
    .option('-R, --recursive', 'also take the folders inside a folder')
    .option('-N, --appset-namespace <namespace>', 'namespace of the sets that have none')
    .action((inputs: string[], flags: GenerateFlags) => generateApplications(session, inputs, flags))
  explain(command, 'Show the Applications that ApplicationSets generate now; nothing is stored.', [
    'wadi appset generate guestbook-set.yaml',
    'wadi appset generate sets/ -o name',
    'cat guestbook-set.yaml | wadi appset generate - -o yaml',
  ])
}

async function generateApplications(
  session: CommandSession,
  inputs: readonly string[],
  flags: GenerateFlags,
): Promise<void> {
  const { signal } = session
  const { readObjects } = await import('../object-input.ts')
  const sets = await readObjects(inputs, { recursive: flags.recursive ?? false, signal })
  if (sets.length === 0) throw new CommandFailure('the input holds no ApplicationSet')
  for (const set of sets) await checkSet(set)
  const { applicationSets } = await session.connect()
  const applications: JsonObject[] = []
  for (const { object, origin } of sets) {
    try {
      const applicationSet = withNamespace(object, flags.appsetNamespace)
      const answer = await applicationSets.generateApplications({ applicationSet }, { signal })
      for (const application of answer.applications) applications.push(application)
    } catch (error) {
      const { errorText } = await import('../error-text.ts')
      const place = `${origin}: ${textAt(object, 'metadata', 'name')}`
      throw new CommandFailure(`${place}: ${await errorText(error)}`, undefined, { cause: error })
    }
  }
  await printApplications(applications, flags.output)
}

async function checkSet({ object, origin }: InputObject): Promise<void> {
  const { requireKnownKind } = await import('@wadi/resources/kinds.ts')
  const [apiVersion, kind] = [textAt(object, 'apiVersion'), textAt(object, 'kind')]
  const name = textAt(object, 'metadata', 'name')
  if (kind !== 'ApplicationSet') {
    throw new CommandFailure(`${origin}: ${kind} ${name} is no ApplicationSet; give files of those alone`)
  }
  try {
    requireKnownKind({ apiVersion, kind })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new CommandFailure(`${origin}: ${name}: ${error.message}`, undefined, { cause: error })
  }
  if (name === '') throw new CommandFailure(`${origin}: ApplicationSet has no metadata.name`)
}

function withNamespace(set: JsonObject, namespace: string | undefined): JsonObject {
  if (namespace === undefined || textAt(set, 'metadata', 'namespace') !== '') return set
  return { ...set, metadata: { ...objectAt(set, 'metadata'), namespace } }
}

async function printApplications(
  applications: readonly JsonObject[],
  format: GenerateFlags['output'],
): Promise<void> {
  if (format === 'wide') {
    process.stdout.write(tableText(headers, applications.map(row)))
  } else if (format === 'name') {
    process.stdout.write(applications.map((application) => `${qualifiedName(application)}\n`).join(''))
  } else {
    const { structuredText } = await import('../structured-output.ts')
    const [only, ...more] = applications
    process.stdout.write(structuredText(only && more.length === 0 ? only : applications, format))
  }
}

/** The columns of argocd; an Application that is not stored has no state, so two stay empty. */
const headers = [
  'NAME',
  'CLUSTER',
  'NAMESPACE',
  'PROJECT',
  'STATUS',
  'HEALTH',
  'SYNCPOLICY',
  'CONDITIONS',
  'REPO',
  'PATH',
  'TARGET',
]

function row(application: JsonObject): string[] {
  const destination = objectAt(application, 'spec', 'destination')
  const source = firstSource(application)
  return [
    qualifiedName(application),
    textAt(destination, 'server') || textAt(destination, 'name'),
    textAt(destination, 'namespace'),
    textAt(application, 'spec', 'project'),
    '',
    '',
    syncPolicy(application),
    '<none>',
    textAt(source, 'repoURL'),
    textAt(source, 'path'),
    textAt(source, 'targetRevision'),
  ]
}

/** The dry source of an Application that is hydrated, as `app list` shows it. */
function firstSource(application: JsonObject): JsonObject {
  const dry = valueAt(application, 'spec', 'sourceHydrator', 'drySource')
  if (dry !== undefined) return objectAt(dry)
  const [first] = listAt(application, 'spec', 'sources')
  return first === undefined ? objectAt(application, 'spec', 'source') : objectAt(first)
}

function syncPolicy(application: JsonObject): string {
  const automated = valueAt(application, 'spec', 'syncPolicy', 'automated') ?? undefined
  if (automated === undefined || valueAt(automated, 'enabled') === false) return 'Manual'
  return valueAt(automated, 'prune') === true ? 'Auto-Prune' : 'Auto'
}
