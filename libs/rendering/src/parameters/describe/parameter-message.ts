import type { Message, MessageInitShape } from '@bufbuild/protobuf'
import type { ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import type {
  ParameterOriginSchema,
  ParameterSchema,
  ParameterValueSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { InspectedOptions } from '../../source/inspected-options.ts'

/** A parameter as the services send it to one another. */
export type ParameterMessage = Exclude<MessageInitShape<typeof ParameterSchema>, Message>

/** The place of a value. */
export type ParameterOrigin = MessageInitShape<typeof ParameterOriginSchema>

/** A value as a message. */
export function valueMessage(value: ParameterValue): MessageInitShape<typeof ParameterValueSchema> {
  if (value.kind === 'string') return { kind: { case: 'text', value: value.text } }
  if (value.kind === 'array') return { kind: { case: 'list', value: { items: [...value.items] } } }
  const entries = value.entries.map(([key, text]) => ({ key, value: text }))
  return { kind: { case: 'map', value: { entries } } }
}

/** Returns the place where an option of the source is set, for example `['helm', 'releaseName']`; undefined if it is not. */
export function optionOrigin(
  inspection: InspectedOptions,
  path: readonly (string | number)[],
): ParameterOrigin | undefined {
  const origin = inspection.originOf(path)
  return origin && { kind: origin.kind, file: origin.file, line: origin.line }
}
