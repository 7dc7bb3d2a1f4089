import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { CommandRunner } from '../plan/command-runner.ts'
import type { Plugin, Plugins } from '../renderers/plugin/plugins.ts'
import type { RenderTools } from '../plan/renderer.ts'

/** Tools that start nothing which files of a commit choose: neither plugins nor actions and ytt. A source that needs one is an error. */
export function withoutCommands(tools: RenderTools): RenderTools {
  const { plugins, commands } = tools
  return { ...tools, plugins: idlePlugins(plugins), commands: commands && idleRunner(commands) }
}

/**
 * The error of a source that cannot be rendered without a command.
 * @param needed what it needs, for example `the plugin "cdk"`
 */
export function commandsNotRun(needed: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `${needed} is not run for a revision that comes from a fork; push the commits to a branch of the repository itself to have it run`,
  )
}

function idlePlugins(plugins: Plugins): Plugins {
  return {
    // What was found out with plugins is not what is found out without.
    identity: async () => `${await plugins.identity()} not run`,
    list: async (signal) => (await plugins.list(signal)).map(idlePlugin),
    get: async (name, signal) => idlePlugin(await plugins.get(name, signal)),
  }
}

function idlePlugin(plugin: Plugin): Plugin {
  const refuse = async (): Promise<never> => {
    throw commandsNotRun(`the plugin "${plugin.name}"`)
  }
  const { name, identity, program, discovery, isStrict, variables, wantsGitCredentials } = plugin
  const known = { name, identity, program, discovery, isStrict, variables, wantsGitCredentials }
  return { ...known, match: refuse, announce: refuse, generate: refuse }
}

function idleRunner(commands: CommandRunner): CommandRunner {
  const refusal = (needed: string) => async (): Promise<never> => {
    throw commandsNotRun(needed)
  }
  return {
    identity: () => commands.identity(),
    scriptsRefusedBecause: async () => commandsNotRun('an action').message,
    runScript: refusal('an action'),
    runYtt: refusal('ytt'),
  }
}
