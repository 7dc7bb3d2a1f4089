import type { Command } from 'commander'
import type { CommandSession } from './command-session.ts'
import { addAdminCommands } from './commands/admin.ts'
import { addApplicationCommands } from './commands/app.ts'
import { addApplyCommand } from './commands/apply.ts'
import { addApplicationSetCommands } from './commands/appset.ts'
import { addCompletionCommands } from './commands/completion.ts'
import { addContextCommand } from './commands/context.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addPluginCommands } from './commands/plugin.ts'
import { addRenderCommand } from './commands/render.ts'
import { addRepositoryCommands } from './commands/repo.ts'
import { addReproduceCommand } from './commands/reproduce.ts'
import { addUpCommand } from './commands/up.ts'
import { addVersionCommand } from './commands/version.ts'

/** Adds one command, with its sub-commands, to the program. It loads what is heavy only when the command runs. */
export type AddCommand = (program: Command, session: CommandSession) => void

/** All commands in the order of the help. */
export const commandList: readonly AddCommand[] = [
  addDemoCommand,
  addUpCommand,
  addApplicationCommands,
  addApplicationSetCommands,
  addApplyCommand,
  addRepositoryCommands,
  addPluginCommands,
  addRenderCommand,
  addReproduceCommand,
  addAdminCommands,
  addContextCommand,
  addVersionCommand,
  addCompletionCommands,
]
