import { Option } from 'commander'
import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { firstDrySource } from '../applications/dry-sources.ts'
import { explain } from '../command-line/command-help.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { textAt } from '@wadi/fields/json-fields.ts'

interface ManifestsFlags {
  source: 'hydrated' | 'dry'
  revision?: string
  showSecrets?: boolean
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
    .option('--show-secrets', 'print the values of Secrets; needs the permission secrets, get')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: ManifestsFlags) => printManifests(session, name, flags))
  explain(
    command,
    'Print the manifests of an Application as in manifest.yaml. Values of Secrets are hidden, all else is there byte for byte.',
    ['wadi app manifests guestbook', 'wadi app manifests guestbook --source dry --revision main'],
  )
  completeWith(command, 'applications')
}

async function printManifests(session: CommandSession, name: string, flags: ManifestsFlags): Promise<void> {
  const { signal } = session
  const { applications } = await session.connect('applications')
  const qualified = parseQualifiedName(name, flags.appNamespace)
  const { revision = '', showSecrets = false } = flags
  const source =
    flags.source === 'hydrated'
      ? { hydratedRevision: revision }
      : { dryRevision: revision || (await targetRevision()) }
  const request = { ...qualified, ...source, plainSecrets: showSecrets }
  const { manifest, hiddenSecrets } = await applications.getManifests(request, { signal })
  if (hiddenSecrets > 0 && showSecrets)
    throw new CommandFailure(`the values of Secrets need the right secrets, get to application ${name}`)
  process.stdout.write(manifest)
  if (hiddenSecrets > 0)
    session.warn('the values of Secrets are hidden; --show-secrets prints them, so do not apply this')

  async function targetRevision(): Promise<string> {
    const { application } = await applications.getApplication(qualified, { signal })
    return textAt(firstDrySource(application), 'targetRevision') || 'HEAD'
  }
}
