import type { Command } from 'commander'
import { addApplicationFlags, hasApplicationFlags, withApplicationFlags } from '../application-flags.ts'
import type { ApplicationFlags } from '../application-flags.ts'
import { parseQualifiedName } from '../application-name.ts'
import { explain } from '../command-help.ts'
import type { CommandSession } from '../command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

interface SetFlags extends ApplicationFlags {
  validate: boolean
  appNamespace?: string
}

const conflictAttempts = 5

/** Adds `app set`. */
export function addSetCommand(app: Command, session: CommandSession): void {
  const command = addApplicationFlags(app.command('set').argument('<name>', 'NAME or NAMESPACE/NAME'))
    .option('--validate', 'reach the dry repository and inspect the source first', true)
    .option('--no-validate', 'store without looking at the dry repository')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: SetFlags) => setApplication(session, command, name, flags))
  explain(command, 'Change fields of an Application.', [
    'wadi app set guestbook --dry-source-revision v1.2.3',
    'wadi app set guestbook --hydrate-to-branch ""',
  ])
  completeWith(command, 'applications')
}

async function setApplication(
  session: CommandSession,
  command: Command,
  name: string,
  flags: SetFlags,
): Promise<void> {
  if (!hasApplicationFlags(flags)) command.help({ error: true })
  const { signal } = session
  const { applications } = await session.connect()
  const { Code, ConnectError } = await import('@connectrpc/connect')
  const qualified = parseQualifiedName(name, flags.appNamespace)
  for (let attempt = 1; ; attempt++) {
    const { application = {} } = await applications.getApplication(qualified, { signal })
    try {
      const next = withApplicationFlags(application, flags)
      await applications.updateApplication({ application: next, validate: flags.validate }, { signal })
      return
    } catch (error) {
      // Somebody else wrote between the read and the write: start again from what is stored now.
      const lostRace = error instanceof ConnectError && error.isWireError && error.code === Code.Aborted
      if (!lostRace || attempt === conflictAttempts) throw error
    }
  }
}
