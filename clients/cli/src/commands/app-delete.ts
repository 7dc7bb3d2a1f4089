import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { askYesNoAll, canAsk } from '../command-line/confirmation.ts'

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
  let asks = !flags.yes
  if (asks && !canAsk()) {
    throw new CommandFailure(
      'there is no terminal to confirm on: repeat the command with --yes to delete without confirmation',
    )
  }
  const { applications } = await session.connect('applications')
  for (const application of qualified) {
    if (asks) {
      const answer = await ask(application.name, names.length > 1, session.signal)
      if (answer === 'no') {
        process.stdout.write(`The command to delete '${application.name}' was cancelled.\n`)
        continue
      }
      if (answer === 'all') asks = false
    }
    await applications.deleteApplication(application, { signal: session.signal })
    process.stdout.write(`application '${application.name}' deleted\n`)
  }
}

function ask(name: string, offerAll: boolean, signal: AbortSignal): Promise<'yes' | 'no' | 'all'> {
  const choices = offerAll
    ? "[y/n/a] where 'a' is to delete all specified Applications without prompting "
    : '[y/n] '
  return askYesNoAll(`Are you sure you want to delete '${name}'? ${choices}`, { offerAll, signal })
}
