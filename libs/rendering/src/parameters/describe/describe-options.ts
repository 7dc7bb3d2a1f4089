import { valueMessage } from '@wadi/plugins/announcements/announced-fields.ts'
import type { ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import type { InspectedOptions } from '../../source/inspected-options.ts'
import { type ParameterMessage, type ParameterOrigin, optionOrigin } from './parameter-message.ts'
import type { SourceOption } from '../edit/source-option.ts'

/** Information about an option that is not in the options of the source. */
export interface OptionKnowledge {
  /** The value without a setting, and its origin if there is one. */
  readonly default?: { readonly value: ParameterValue; readonly origin?: ParameterOrigin | undefined }
  /** Values to choose from. */
  readonly choices?: readonly string[]
}

const off: OptionKnowledge['default'] = { value: { kind: 'string', text: 'false' } }

/** The options of a source that a renderer takes as parameters, with what is known of some of them by name. */
export function describeOptions(
  inspection: InspectedOptions,
  table: readonly SourceOption[],
  known: ReadonlyMap<string, OptionKnowledge>,
): ParameterMessage[] {
  return table.map((option) => {
    const { name, tooltip, type, collection } = option
    const knowledge = known.get(name)
    const value = option.read(inspection.options)
    const normal = knowledge?.default ?? (type === 'boolean' ? off : undefined)
    return {
      name,
      tooltip,
      type,
      collection,
      announced: true,
      options: [...(knowledge?.choices ?? [])],
      ...(normal && { default: valueMessage(normal.value) }),
      ...(normal?.origin && { defaultOrigin: normal.origin }),
      ...(value && { value: valueMessage(value), ...originOf(inspection, option) }),
    }
  })
}

function originOf(
  inspection: InspectedOptions,
  { path, overridingPath }: SourceOption,
): { origin: ParameterOrigin } | undefined {
  const overriding = overridingPath && optionOrigin(inspection, overridingPath)
  const origin = overriding ?? optionOrigin(inspection, path)
  return origin && { origin }
}
