import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addStageChangeCommands } from './env-change.ts'
import { addEnvironmentListCommand } from './env-list.ts'

/** Defines the sub-commands of `env`. */
export function defineEnvironmentCommands(env: Command, session: CommandSession): void {
  showExamples(env, 'wadi env list', 'wadi env promote environments/prod', 'wadi env merge environments/prod')
  addEnvironmentListCommand(env, session)
  addStageChangeCommands(env, session)
}
