import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addStageChangeCommands } from './env-change.ts'
import { addEnvironmentListCommand } from './env-list.ts'

/** Adds `env` with its sub-commands. */
export function addEnvironmentCommands(program: Command, session: CommandSession): void {
  const env = explain(
    program.command('env'),
    'List stages, and promote from one to the next by pull requests.',
    ['wadi env list', 'wadi env promote environments/prod', 'wadi env merge environments/prod'],
  )
  addEnvironmentListCommand(env, session)
  addStageChangeCommands(env, session)
}
