import { Option } from 'commander'
import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { textAt } from '../objects/json-fields.ts'

interface ManifestsFlags {
  source: 'hydrated' | 'dry'
  revision?: string
  appNamespace?: string
}

/** Adds `app manifests`. */
export function addManifestsCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('manifests')
    .argument('<name>', 'NAME or NAMESPACE/NAME')
    .addOption(
      new Option('--source <source>', 'the hydrated branch, or the dry source as it renders')
        .choices(['hydrated', 'dry'])
        .default('hydrated'),
    )
    .option('--revision <revision>', 'hydrated commit or dry revision (default: the newest)')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: ManifestsFlags) => printManifests(session, name, flags))
  explain(command, 'Print the manifests of an Application, byte for byte as in manifest.yaml.', [
    'wadi app manifests guestbook',
    'wadi app manifests guestbook --source dry --revision main',
  ])
  completeWith(command, 'applications')
}

async function printManifests(session: CommandSession, name: string, flags: ManifestsFlags): Promise<void> {
  const { signal } = session
  const { applications } = await session.connect()
  const qualified = parseQualifiedName(name, flags.appNamespace)
  const revision = flags.revision ?? ''
  if (flags.source === 'hydrated') {
    const answer = await applications.getManifests({ ...qualified, hydratedRevision: revision }, { signal })
    process.stdout.write(answer.manifest)
    return
  }
  const dryRevision = revision || (await targetRevision())
  const answer = await applications.getManifests({ ...qualified, dryRevision }, { signal })
  process.stdout.write(answer.manifest)

  async function targetRevision(): Promise<string> {
    const { application } = await applications.getApplication(qualified, { signal })
    return textAt(application, 'spec', 'sourceHydrator', 'drySource', 'targetRevision') || 'HEAD'
  }
}
