import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addSetApplyCommand } from './appset-apply.ts'
import { addSetCreateCommand } from './appset-create.ts'
import { addSetDeleteCommand } from './appset-delete.ts'
import { addSetDiffCommand } from './appset-diff.ts'
import { addGenerateCommand } from './appset-generate.ts'
import { addSetGetCommand } from './appset-get.ts'
import { addSetListCommand } from './appset-list.ts'
import { addSetRefreshCommand } from './appset-refresh.ts'

const applicationSetCommands = [
  addSetCreateCommand,
  addSetApplyCommand,
  addSetGetCommand,
  addSetListCommand,
  addSetDeleteCommand,
  addGenerateCommand,
  addSetDiffCommand,
  addSetRefreshCommand,
]

/** Defines the sub-commands of `appset`. */
export function defineApplicationSetCommands(appset: Command, session: CommandSession): void {
  showExamples(
    appset,
    'wadi appset create cluster-addons.yaml',
    'wadi appset list',
    'wadi appset diff cluster-addons.yaml',
  )
  for (const addCommand of applicationSetCommands) addCommand(appset, session)
}
