import { announcedFields, valueMessage } from '@wadi/plugins/announcements/announced-fields.ts'
import { isSameParameter } from '@wadi/plugins/announcements/same-parameter.ts'
import { checkParameters } from '@wadi/plugins/parameters/check-parameters.ts'
import type { Parameter, ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import type { PluginUse } from '../plugin-use.ts'
import { type ParameterMessage, optionOrigin } from '../../../parameters/describe/parameter-message.ts'

/**
 * Describes what a plugin announces with what is set of it, and then parameters that are set without being announced.
 * Of several parameters with one name the last one applies.
 * @throws whatever the plugin throws while it is asked
 */
export async function describePlugin(
  tree: FileTree,
  inspection: InspectedOptions,
  { plugin, parameters, call }: PluginUse,
  signal: AbortSignal | undefined,
): Promise<{ parameters: ParameterMessage[]; warnings: string[] }> {
  const { announcements, warnings } = await plugin.announce({ ...call, tree, ...(signal && { signal }) })
  const problems = Map.groupBy(checkParameters(parameters, announcements), ({ name }) => name)
  const messagesOf = (name: string): string[] => (problems.get(name) ?? []).map(({ message }) => message)
  const announced = announcements.map((announcement): ParameterMessage => {
    const index = parameters.findLastIndex((parameter) => isSameParameter(parameter, announcement))
    return {
      ...announcedFields(announcement),
      ...setMessage(inspection, parameters[index], index, announcement.collectionType),
      problems: [...messagesOf(announcement.name), ...(parameters[index]?.warnings ?? [])],
    }
  })
  const others = new Map<string, number>()
  for (const [index, parameter] of parameters.entries()) {
    if (announcements.some((announcement) => isSameParameter(parameter, announcement))) continue
    others.set(parameter.name, index)
  }
  const unannounced = [...others].map(([name, index]): ParameterMessage => {
    const parameter = parameters[index]
    const value = parameter && valueOf(parameter, 'string')
    return {
      name,
      group: parameter?.group ?? '',
      type: parameter?.itemType || 'string',
      collection: value?.kind ?? 'string',
      announced: false,
      ...setMessage(inspection, parameter, index, 'string'),
      problems: [...messagesOf(name), ...(parameter?.warnings ?? [])],
    }
  })
  return { parameters: [...announced, ...unannounced], warnings }
}

function setMessage(
  inspection: InspectedOptions,
  parameter: Parameter | undefined,
  index: number,
  collection: ParameterValue['kind'],
): Pick<ParameterMessage, 'value' | 'origin'> {
  const value = parameter && valueOf(parameter, collection)
  if (value === undefined) return {}
  const origin = optionOrigin(inspection, ['plugin', 'parameters', index])
  return { value: valueMessage(value), ...(origin && { origin }) }
}

/** The value of the wanted kind, else whatever is set. */
function valueOf(
  { string, array, map }: Parameter,
  wanted: ParameterValue['kind'],
): ParameterValue | undefined {
  const values: ParameterValue[] = []
  if (string !== undefined) values.push({ kind: 'string', text: string })
  if (array !== undefined) values.push({ kind: 'array', items: array })
  if (map !== undefined) values.push({ kind: 'map', entries: map })
  return values.find(({ kind }) => kind === wanted) ?? values[0]
}
