import type { Command } from 'commander'
import {
  addApplicationFlags,
  hasApplicationFlags,
  withApplicationFlags,
} from '../applications/application-flags.ts'
import type { ApplicationFlags } from '../applications/application-flags.ts'
import { chosenSource } from '../applications/source-choice.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import type { QualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import { printWarnings } from '../applications/stored-warnings.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { readAssignments } from '../parameters/parameter-assignment.ts'
import { addParameterChangeFlags, changeParameters } from '../parameters/parameter-change.ts'
import type { ParameterChangeFlags } from '../parameters/parameter-change.ts'

interface SetFlags extends ApplicationFlags, ParameterChangeFlags {
  validate: boolean
  parameter?: string[]
  appNamespace?: string
  releaseName?: string
}

const conflictAttempts = 5

/** Adds `app set`. */
export function addSetCommand(app: Command, session: CommandSession): void {
  const set = addApplicationFlags(app.command('set').argument('<name>', 'NAME or NAMESPACE/NAME')).option(
    '-p, --parameter <name=value>',
    'parameter, list[0] or map.key to set with a commit to the dry branch; =@FILE reads a file (repeatable)',
    collect,
  )
  const command = addParameterChangeFlags(set)
    .option('--release-name <name>', 'the same as -p release-name=NAME: the name of a chart’s release')
    .option('--validate', 'check the dry repository and the source first', true)
    .option('--no-validate', 'store without checking the dry repository')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: SetFlags) => setApplication(session, command, name, flags))
  explain(command, 'Change fields of an Application, or commit its parameters to the dry branch.', [
    'wadi app set guestbook --dry-source-revision v1.2.3',
    'wadi app set guestbook --hydrate-to-branch ""',
    'wadi app set guestbook -p replicas=3 -p image.tag=v2 --message "Scale up"',
    'wadi app set guestbook -p replicas=3 --new-branch scale-guestbook',
    'wadi app set guestbook --release-name guestbook',
    'wadi app set guestbook --source-name db --dry-source-revision v2',
    "wadi app set guestbook -p 'hosts[0]=www.example.com' --print | git apply",
  ])
  completeWith(command, 'applications')
}

async function setApplication(
  session: CommandSession,
  command: Command,
  name: string,
  flags: SetFlags,
): Promise<void> {
  const { parameter = [], releaseName, print, message, force, newBranch } = flags
  const texts = releaseName === undefined ? parameter : [...parameter, `release-name=${releaseName}`]
  const changesObject = hasApplicationFlags(flags)
  if (!changesObject && texts.length === 0) command.help({ error: true })
  if (texts.length === 0 && (print || message !== undefined || force || newBranch !== undefined)) {
    throw new CommandFailure('--print, --message, --new-branch and --force belong to -p name=value', 1)
  }
  if (changesObject && print) {
    throw new CommandFailure(
      '--print changes nothing, so no flag that changes the Application goes with it',
      1,
    )
  }
  const assignments = await readAssignments(texts)
  const qualified = parseQualifiedName(name, flags.appNamespace)
  if (changesObject) await changeApplication(session, qualified, flags)
  if (assignments.length > 0) await changeParameters(session, qualified, { assignments }, flags)
}

async function changeApplication(
  session: CommandSession,
  qualified: QualifiedName,
  flags: SetFlags,
): Promise<void> {
  const { signal } = session
  const { applications } = await session.connect('applications')
  const { Code, ConnectError } = await import('@connectrpc/connect')
  for (let attempt = 1; ; attempt++) {
    const { application = {} } = await applications.getApplication(qualified, { signal })
    try {
      const next = withApplicationFlags(application, flags, chosenSource(application, flags))
      const request = { application: next, validate: flags.validate }
      const { warnings } = await applications.updateApplication(request, { signal })
      printWarnings(warnings)
      return
    } catch (error) {
      // Somebody else wrote between the read and the write: start again from what is stored now.
      const lostRace = error instanceof ConnectError && error.isWireError && error.code === Code.Aborted
      if (!lostRace || attempt === conflictAttempts) throw error
    }
  }
}
