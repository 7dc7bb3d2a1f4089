import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { qualifiedName } from '../applications/application-name.ts'
import { addSetInput, callForSet, readApplicationSets } from '../application-sets/input.ts'
import type { SetInputFlags } from '../application-sets/input.ts'
import { automationOf, sourcesOf } from '../application-sets/sources.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { printObjects } from '../output/object-output.ts'
import { printable } from '../output/printable.ts'
import { tableText } from '../output/table.ts'
import { outputOption } from '../output/output-option.ts'

interface GenerateFlags extends SetInputFlags {
  output: 'wide' | 'name' | 'json' | 'yaml'
}

/** Adds `appset generate`. */
export function addGenerateCommand(appset: Command, session: CommandSession): void {
  const command = addSetInput(appset.command('generate'))
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((inputs: string[], flags: GenerateFlags) => generateApplications(session, inputs, flags))
  explain(command, 'Show the Applications that ApplicationSets generate now. Stores nothing.', [
    'wadi appset generate guestbook-set.yaml',
    'wadi appset generate sets/ -o name',
    'cat guestbook-set.yaml | wadi appset generate - -o yaml',
  ])
  command.addHelpText('after', '\nExit codes: 0 done, 20 a set is rejected or fails.')
}

async function generateApplications(
  session: CommandSession,
  inputs: readonly string[],
  flags: GenerateFlags,
): Promise<void> {
  const sets = await readApplicationSets(session, inputs, flags)
  const { applicationSets } = await session.connect('applicationSets')
  const { signal } = session
  const applications: JsonObject[] = []
  for (const set of sets) {
    const answer = await callForSet(set, () =>
      applicationSets.generateApplications({ applicationSet: set.object }, { signal }),
    )
    for (const application of answer.applications) applications.push(application)
  }
  await printApplications(applications, flags.output)
}

async function printApplications(
  applications: readonly JsonObject[],
  format: GenerateFlags['output'],
): Promise<void> {
  if (format === 'wide') {
    process.stdout.write(tableText(headers, applications.map(row)))
  } else if (format === 'name') {
    process.stdout.write(
      applications.map((application) => `${printable(qualifiedName(application))}\n`).join(''),
    )
  } else {
    await printObjects(applications, format)
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
  const spec = objectAt(application, 'spec')
  const [source] = sourcesOf(spec)
  const automation = automationOf(spec)
  return [
    qualifiedName(application),
    textAt(destination, 'server') || textAt(destination, 'name'),
    textAt(destination, 'namespace'),
    textAt(application, 'spec', 'project'),
    '',
    '',
    automation ? (automation.prune ? 'Auto-Prune' : 'Auto') : 'Manual',
    '<none>',
    shownUrl(textAt(source, 'repoURL')),
    textAt(source, 'path'),
    textAt(source, 'targetRevision'),
  ]
}
