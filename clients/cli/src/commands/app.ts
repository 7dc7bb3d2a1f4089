import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import {
  addParameterChangeFlags,
  changeParameters,
  type ParameterChangeFlags,
} from '../parameters/parameter-change.ts'
import { addCreateCommand } from './app-create.ts'
import { addDiffCommand } from './app-diff.ts'
import { addExplainCommand } from './app-explain.ts'
import { addFindingsCommand } from './app-findings.ts'
import { addGetCommand } from './app-get.ts'
import { addHistoryCommand } from './app-history.ts'
import { addHydrateCommand } from './app-hydrate.ts'
import { addListCommand } from './app-list.ts'
import { addManifestsCommand } from './app-manifests.ts'
import { addParamsCommand } from './app-params.ts'
import { addRunCommands } from './app-runs.ts'
import { addSetCommand } from './app-set.ts'
import { addWaitCommand } from './app-wait.ts'

const applicationCommands = [
  addCreateCommand,
  addGetCommand,
  addListCommand,
  addSetCommand,
  addUnsetCommand,
  addParamsCommand,
  addExplainCommand,
  addDeleteCommand,
  addHydrateCommand,
  addWaitCommand,
  addDiffCommand,
  addManifestsCommand,
  addHistoryCommand,
  addRunCommands,
  addFindingsCommand,
  addUnsupportedCommands,
]

/** Defines the sub-commands of `app`. */
export function defineApplicationCommands(app: Command, session: CommandSession): void {
  showExamples(app, 'wadi app list', 'wadi app get guestbook')
  for (const addCommand of applicationCommands) addCommand(app, session)
}

interface DeleteFlags {
  yes?: boolean
  appNamespace?: string
}

/** Adds `app delete`. */
function addDeleteCommand(app: Command, session: CommandSession): void {
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

interface UnsetFlags extends ParameterChangeFlags {
  parameter?: string[]
  appNamespace?: string
}

/** Adds `app unset`. */
function addUnsetCommand(app: Command, session: CommandSession): void {
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

/** Commands that users of argocd look for, and where they are. */
const elsewhere = {
  sync: 'Wadi applies nothing to clusters: "wadi app hydrate NAME" writes the hydrated branch, and what watches the branch deploys it',
  rollback:
    'to go back, revert the commit in the dry repository, and "wadi app hydrate NAME"; "wadi app history NAME" shows which dry commit each hydrated commit holds',
} as const

/** Adds the commands of argocd that Wadi has not, which no help lists; each says what to use. */
function addUnsupportedCommands(app: Command): void {
  for (const [name, advice] of Object.entries(elsewhere)) {
    app
      .command(name, { hidden: true })
      .argument('[anything...]')
      .allowUnknownOption()
      .action(() => {
        throw new CommandFailure(`app ${name} is unsupported: ${advice}`)
      })
  }
}
