import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addCreateCommand } from './app-create.ts'
import { addDeleteCommand } from './app-delete.ts'
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
import { addUnsetCommand } from './app-unset.ts'
import { addUnsupportedCommands } from './app-unsupported.ts'
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
