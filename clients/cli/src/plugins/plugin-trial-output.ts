import { type JsonObject, toJson } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { indentJson } from '../output/json-indent.ts'
import { parameterWarnings } from '../parameters/parameter-warnings.ts'
import { parameterTable } from '../parameters/parameter-table.ts'
import type { PluginTrial } from './plugin-trial.ts'
import { structuredText } from '../output/structured-output.ts'

/** Prints what users of the plugin would see, each part as soon as it is there. */
export async function printTrial(trial: PluginTrial, session: CommandSession): Promise<void> {
  const { plugin, matched, reason, parameters } = trial
  if (!matched) {
    process.stdout.write(`${reason}\n`)
    return
  }
  const { discovery } = plugin
  const rule =
    discovery === undefined || discovery.by === 'remote' ? '' : ` (${discovery.by} ${discovery.pattern})`
  process.stdout.write(`Plugin ${plugin.name} matches${rule}.\n\n`)
  const width = process.stdout.isTTY ? process.stdout.columns : undefined
  process.stdout.write(
    parameters.length === 0
      ? 'It announces no parameters.\n'
      : parameterTable(parameters, { wide: false, setOnly: false, width }) +
          parameterWarnings(parameters, []),
  )
  for (const warning of trial.warnings) session.warn(warning)
  const rendered = await trial.generate()
  const reported = new Set([...trial.warnings, ...problemWarnings(trial)])
  for (const warning of rendered?.warnings ?? []) if (!reported.has(warning)) session.warn(warning)
  if (rendered?.manifest) process.stdout.write(`\n---\n${rendered.manifest}`)
}

/** Returns the problems of parameters as warnings, in the words of a render. */
function problemWarnings({ plugin, parameters }: PluginTrial): string[] {
  return parameters.flatMap(({ name, problems }) =>
    problems.map((problem) => `plugin ${plugin.name}: parameter ${JSON.stringify(name)}: ${problem}`),
  )
}

/** The whole trial as `{matched, parameters, manifests, warnings}`. */
export async function trialText(trial: PluginTrial, format: 'json' | 'yaml'): Promise<string> {
  const rendered = await trial.generate()
  const { matched, reason } = trial
  const parameters = trial.parameters
    .map((parameter) => toJson(ParameterSchema, parameter))
    .filter(isJsonObject)
  const warnings = [
    ...(matched ? [] : [reason]),
    ...new Set([...trial.warnings, ...(rendered?.warnings ?? [])]),
  ]
  // Manifests stay text: their numbers may be larger than a double.
  const manifests = `[${(rendered?.manifests ?? []).join(',')}]`
  const head = JSON.stringify({ matched, parameters } satisfies JsonObject).slice(0, -1)
  const compact = `${head},"manifests":${manifests},"warnings":${JSON.stringify(warnings)}}`
  return format === 'json' ? `${indentJson(compact)}\n` : yamlOf(compact)
}

function yamlOf(compact: string): string {
  return structuredText(JSON.parse(compact) as JsonObject, 'yaml')
}
