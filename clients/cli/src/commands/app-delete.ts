import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'

interface DeleteFlags {
  yes?: boolean
  appNamespace?: string
}

/** Adds `app delete`. */
export function addDeleteCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('delete')
    .argument('<name...>', 'NAME or NAMESPACE/NAME')
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .option('-N, --app-namespace <namespace>', 'namespace of the Applications')
    .action((names: string[], flags: DeleteFlags) => deleteApplications(session, names, flags))
  explain(command, 'Delete Applications; their hydrated files stay unless pruning is on.', [
    'wadi app delete guestbook',
    'wadi app delete guestbook billing --yes',
  ])
  completeWith(command, 'applications')
}

async function deleteApplications(
  session: CommandSession,
  names: string[],
  flags: DeleteFlags,
): Promise<void> {
  const qualified = names.map((name) => parseQualifiedName(name, flags.appNamespace))
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'Applications', verb: 'delete', signal }
  for await (const application of confirmedNames(qualified, confirmation)) {
    const { applications } = await session.connect('applications')
    await applications.deleteApplication(application, { signal })
    process.stdout.write(`application '${application.name}' deleted\n`)
  }
}
