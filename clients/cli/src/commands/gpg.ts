import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addGpgAddCommand } from './gpg-add.ts'
import { addGpgExportCommand } from './gpg-export.ts'
import { addGpgGetCommand } from './gpg-get.ts'
import { addGpgListCommand } from './gpg-list.ts'
import { addGpgRemoveCommand } from './gpg-rm.ts'

/** Defines the sub-commands of `gpg`. */
export function defineGpgCommands(gpg: Command, session: CommandSession): void {
  showExamples(gpg, 'wadi gpg list', 'wadi gpg add --from alice.asc', 'wadi gpg export')
  gpg.addHelpText(
    'after',
    '\nspec.signatureKeys or spec.sourceIntegrity of the AppProject decides which signatures a repository requires.',
  )
  addGpgAddCommand(gpg, session)
  addGpgListCommand(gpg, session)
  addGpgExportCommand(gpg, session)
  addGpgGetCommand(gpg, session)
  addGpgRemoveCommand(gpg, session)
}
