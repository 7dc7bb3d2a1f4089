import type { Value } from '@wadi/params/values/value.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { PluginVariable } from '../renderers/plugin/plugins.ts'

/**
 * A script of a dry commit.
 * @internal
 */
export interface ScriptCall {
  /** The files that a copy is made of. */
  readonly tree: FileTree
  /** The working directory of the script, from the root of the files. */
  readonly directory: string
  /** The text given to a shell. */
  readonly script: string
  /** Set beside PATH and HOME. */
  readonly variables: readonly PluginVariable[]
  /** The time limit of each run if the server does not have a lower one; 0 for the server's. */
  readonly timeLimitMs: number
  readonly signal: AbortSignal | undefined
}

/** Runs what a dry commit wants to have run, where it can do no harm. */
export interface CommandRunner {
  /** Equal as long as commands give the same; a part of fingerprints. Never fails: while nothing answers, it is the last. */
  identity(): Promise<string>
  /**
   * Why scripts cannot be run, with what to do; empty when they can.
   * @throws UnavailableError when that cannot be found out now
   */
  scriptsRefusedBecause(signal: AbortSignal | undefined): Promise<string>
  /**
   * Runs a script twice in fresh copies of the files and returns what it wrote.
   * @throws InvalidInputError when it fails or does not write the same both times; FailedPreconditionError with what to
   *   do when scripts are not allowed
   */
  runScript(call: ScriptCall): Promise<string>
  /**
   * Fills in a template of ytt.
   * @throws InvalidInputError with the words of ytt; FailedPreconditionError with what to do when there is no ytt
   */
  runYtt(
    template: string,
    values: ReadonlyMap<string, Value>,
    signal: AbortSignal | undefined,
  ): Promise<string>
}

/** A runner for one plan, which records whether anything was run for it. */
export function noteCommands(commands: CommandRunner | undefined): {
  readonly commands: CommandRunner | undefined
  readonly hasRun: () => boolean
} {
  let hasRun = false
  if (commands === undefined) return { commands, hasRun: () => false }
  return {
    hasRun: () => hasRun,
    commands: {
      identity: () => commands.identity(),
      scriptsRefusedBecause: (signal) => commands.scriptsRefusedBecause(signal),
      runScript: async (call) => {
        hasRun = true
        return await commands.runScript(call)
      },
      runYtt: async (template, values, signal) => {
        hasRun = true
        return await commands.runYtt(template, values, signal)
      },
    },
  }
}
