import type { Command } from 'commander'
import type { CommandSession } from './command-session.ts'
import { addAccountCommands } from '../commands/account.ts'
import { addAdminCommands } from '../commands/admin.ts'
import { addApplicationCommands } from '../commands/app.ts'
import { addApplyCommand } from '../commands/apply.ts'
import { addApplicationSetCommands } from '../commands/appset.ts'
import { addClusterCommands } from '../commands/cluster.ts'
import { addGpgCommands } from '../commands/gpg.ts'
import { addCompletionCommands } from '../commands/completion.ts'
import { addContextCommand } from '../commands/context.ts'
import { addDemoCommand } from '../commands/demo.ts'
import { addDoctorCommand } from '../commands/doctor.ts'
import { addExplainCommand } from '../commands/explain.ts'
import { addLoginCommand } from '../commands/login.ts'
import { addLogoutCommand } from '../commands/logout.ts'
import { addPluginCommands } from '../commands/plugin.ts'
import { addProjectCommands } from '../commands/proj.ts'
import { addReloginCommand } from '../commands/relogin.ts'
import { addRenderCommand } from '../commands/render.ts'
import { addRepositoryCommands } from '../commands/repo.ts'
import { addReproduceCommand } from '../commands/reproduce.ts'
import { addUpCommand } from '../commands/up.ts'
import { addValuesCommands } from '../commands/values.ts'
import { addVersionCommand } from '../commands/version.ts'

/** Adds one command, with its sub-commands, to the program. It loads what is heavy only when the command runs. */
export type AddCommand = (program: Command, session: CommandSession) => void

/** All commands in the order of the help. */
export const commandList: readonly AddCommand[] = [
  addDemoCommand,
  addUpCommand,
  addLoginCommand,
  addLogoutCommand,
  addReloginCommand,
  addApplicationCommands,
  addApplicationSetCommands,
  addApplyCommand,
  addProjectCommands,
  addRepositoryCommands,
  addClusterCommands,
  addGpgCommands,
  addPluginCommands,
  addRenderCommand,
  addExplainCommand,
  addReproduceCommand,
  addValuesCommands,
  addAdminCommands,
  addAccountCommands,
  addDoctorCommand,
  addContextCommand,
  addVersionCommand,
  addCompletionCommands,
]
