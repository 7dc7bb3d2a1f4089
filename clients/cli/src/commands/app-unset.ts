import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { addParameterChangeFlags, changeParameters } from '../parameters/parameter-change.ts'
import type { ParameterChangeFlags } from '../parameters/parameter-change.ts'

interface UnsetFlags extends ParameterChangeFlags {
  parameter?: string[]
  appNamespace?: string
}

/** Adds `app unset`. */
export function addUnsetCommand(app: Command, session: CommandSession): void {
  const command = addParameterChangeFlags(
    app
      .command('unset')
      .argument('<name>', 'NAME or NAMESPACE/NAME')
      .option(
        '-p, --parameter <target>',
        'parameter, list[0] or map.key to reset to its default (repeatable)',
        collect,
      ),
  )
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: UnsetFlags) => unsetParameters(session, command, name, flags))
  explain(command, 'Reset parameters of an Application to their defaults with a commit to its dry branch.', [
    'wadi app unset guestbook -p replicas',
    "wadi app unset guestbook -p 'hosts[0]' -p image.tag --print | git apply",
  ])
  completeWith(command, 'applications')
}

async function unsetParameters(
  session: CommandSession,
  command: Command,
  name: string,
  flags: UnsetFlags,
): Promise<void> {
  const { parameter: removals = [] } = flags
  if (removals.length === 0) command.help({ error: true })
  await changeParameters(session, parseQualifiedName(name, flags.appNamespace), { removals }, flags)
}
