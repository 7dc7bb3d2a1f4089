import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** The parts of a plugin that are run, and what is run beside it. */
export type CommandRole = 'discover' | 'init' | 'generate' | 'announce' | 'script' | 'ytt'

/** Users choose the names, so that they are not remembered without end. */
const maxSkippedNames = 1_000

/** Events of a cmp-server, counted and logged in one place. Environments are never logged. */
export interface CmpServerEvents {
  /** The service starts with a plugin, or without one. */
  configured(plugin: { name: string; warnings: readonly string[] } | undefined): void
  /** The service is process 1, to which what commands leave falls, and Node.js reaps none of it. */
  isFirstProcess(): void
  /** Reports the programs that can be run in addition to a plugin. */
  runs(what: { scripts: string; ytt: string }): void
  /** A command of the plugin ended. */
  commandEnded(
    role: CommandRole,
    outcome: { milliseconds: number; errors: string; isEmpty: boolean; failed: boolean },
  ): void
  /** A run continues with warnings for its user. */
  warned(warnings: readonly string[]): void
  /** Variables of a request or own names of parameters were left out; logged once for each name. */
  variablesSkipped(names: readonly string[]): void
}

/** Events that update `metrics` and the log. */
export function createCmpServerEvents(logger: Logger, metrics: MetricsRegistry): CmpServerEvents {
  const commands = metrics.counter(
    'plugin_commands_total',
    'Commands of the plugin (discover, init, generate, announce), scripts and ytt: ok or failed.',
    ['role', 'outcome'],
  )
  const skippedNames = new Set<string>()
  return {
    configured(plugin) {
      if (plugin === undefined) logger.info('no plugin is configured')
      else logger.info({ plugin: plugin.name }, 'plugin read')
      for (const warning of plugin?.warnings ?? []) logger.warn({ warning }, 'warning about the plugin')
    },
    isFirstProcess() {
      logger.warn(
        'cmp-server is process 1 and cannot reap what commands leave; start it under an init, for example docker run --init or shareProcessNamespace of the pod',
      )
    },
    runs(what) {
      logger.info(what, 'commands that can be run')
    },
    commandEnded(role, { milliseconds, errors, isEmpty, failed }) {
      commands.inc({ role, outcome: failed ? 'failed' : 'ok' })
      const line = { role, ms: Math.round(milliseconds), ...(errors !== '' && { stderr: errors }) }
      if (failed) logger.info(line, 'plugin command failed')
      else if (isEmpty && role === 'generate') logger.warn(line, 'plugin command wrote nothing')
      else logger.debug(line, 'plugin command ended')
    },
    warned(warnings) {
      logger.warn({ warnings }, 'warnings about a run')
    },
    variablesSkipped(names) {
      const unobserved = names.filter((name) => !skippedNames.has(name))
      if (unobserved.length === 0 || skippedNames.size >= maxSkippedNames) return
      for (const name of unobserved) skippedNames.add(name)
      logger.warn(
        { names: unobserved },
        'variables left out: not part of the plugin protocol, taken or reserved',
      )
    },
  }
}
