import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { mergeAnnouncements } from '@wadi/plugins/announcements/merge-announcements.ts'
import { checkParameters } from '@wadi/plugins/parameters/check-parameters.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { withDefaults } from '@wadi/plugins/parameters/with-defaults.ts'
import type { PluginRun } from '../run/plugin-run.ts'
import { announceDynamically } from './dynamic-announcements.ts'
import type { DynamicKnowledge } from './dynamic-knowledge.ts'

/** Of the time that a command may take: as long as one whose answer decides nothing is waited for, so that the rest is enough to generate. */
const shareOfTime = 0.25

/** The inputs from which a plugin generates. */
interface ParametersToGenerate {
  /** Undefined when the source sets none and no default is given. */
  readonly parameters: readonly Parameter[] | undefined
  readonly announcements: readonly Announcement[]
  /** Problems with them although the plugin runs, and unknown parts. */
  readonly warnings: readonly string[]
}

/**
 * Adds announced defaults to the parameters that a source sets and checks them all. The plugin's command that announces
 * is run only when what it prints may matter.
 * @throws InvalidInputError that lists all problems when the plugin's validation is strict, or when the command that
 *   announces fails and its answer decides what the plugin is given
 */
export async function parametersToGenerate(
  run: PluginRun,
  knowledge: DynamicKnowledge,
): Promise<ParametersToGenerate> {
  const { plugin } = run
  const dynamic = await knownDynamically(run, knowledge)
  const announcements = mergeAnnouncements(dynamic.announcements, plugin.announcements, plugin.ui)
  const parameters = withDefaults(run.parameters ?? [], announcements, plugin.sendDefaults)
  const problems = checkParameters(parameters, announcements).map(
    ({ name, message }) => `parameter ${JSON.stringify(name)}: ${message}`,
  )
  if (plugin.validation === 'strict' && problems.length > 0) {
    throw new InvalidInputError(`the parameters of plugin ${plugin.name} are refused: ${problems.join('; ')}`)
  }
  return {
    parameters: run.parameters === undefined && parameters.length === 0 ? undefined : parameters,
    announcements,
    warnings: [...dynamic.warnings, ...parameters.flatMap(({ warnings }) => warnings), ...problems],
  }
}

async function knownDynamically(
  run: PluginRun,
  knowledge: DynamicKnowledge,
): Promise<{ announcements: readonly Announcement[]; warnings: readonly string[] }> {
  const { validation, sendDefaults } = run.plugin
  const isDecisive = validation === 'strict' || sendDefaults
  if (!isDecisive && !knowledge.mayMatter(run.application)) return { announcements: [], warnings: [] }
  try {
    const timeoutMs = isDecisive ? run.commandTimeoutMs : run.commandTimeoutMs * shareOfTime
    return await announceDynamically(run, knowledge, timeoutMs)
  } catch (error) {
    if (isDecisive || run.signal.aborted) throw error
    const warning = `the parameters that the plugin announces for this application are not known: ${errorMessage(error)}`
    return { announcements: [], warnings: [warning] }
  }
}
