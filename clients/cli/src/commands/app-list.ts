import { Option } from 'commander'
import type { Command } from 'commander'
import { normalizeRepositoryUrl } from '@wadi/git/repository-url.ts'
import { qualifiedName } from '../application-name.ts'
import { applicationTable } from '../application-table.ts'
import { explain } from '../command-help.ts'
import { collect } from '../command-line-values.ts'
import type { CommandSession } from '../command-session.ts'
import { textAt } from '../json-path.ts'

interface ListFlags {
  output: 'name' | 'json' | 'yaml' | 'wide'
  selector?: string
  project?: string[]
  repo?: string
  appNamespace?: string
}

/** Adds `app list`. */
export function addListCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('list')
    .addOption(
      new Option('-o, --output <format>', 'output').choices(['wide', 'name', 'json', 'yaml']).default('wide'),
    )
    .option('-l, --selector <selector>', 'label selector as kubectl takes it')
    .option('-p, --project <name>', 'only Applications of this AppProject (repeatable)', collect)
    .option('-r, --repo <url>', 'only Applications with this dry repository')
    .option('-N, --app-namespace <namespace>', 'only Applications of this namespace')
    .action((flags: ListFlags) => listApplications(session, flags))
  explain(command, 'List Applications with the state of their hydration.', [
    'wadi app list',
    'wadi app list -l team=web -o name',
  ])
}

async function listApplications(session: CommandSession, flags: ListFlags): Promise<void> {
  const server = await session.connect()
  const answer = await server.applications.listApplications(
    {
      namespace: flags.appNamespace ?? '',
      selector: flags.selector ?? '',
      projects: flags.project ?? [],
    },
    { signal: session.signal },
  )
  const repo = flags.repo === undefined ? undefined : normalizeRepositoryUrl(flags.repo)
  const applications = answer.applications.filter(
    (application) =>
      repo === undefined ||
      normalizeRepositoryUrl(textAt(application, 'spec', 'sourceHydrator', 'drySource', 'repoURL')) === repo,
  )
  if (flags.output === 'wide') {
    process.stdout.write(applicationTable(applications))
  } else if (flags.output === 'name') {
    process.stdout.write(applications.map((application) => `${qualifiedName(application)}\n`).join(''))
  } else {
    const { structuredText } = await import('../structured-output.ts')
    process.stdout.write(structuredText(applications, flags.output))
  }
}
