import type { Message, MessageInitShape } from '@bufbuild/protobuf'
import type {
  ParameterOriginSchema,
  ParameterSchema,
  ParameterSectionSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { InspectedOptions } from '../../source/inspected-options.ts'

/** A parameter as the services send it to one another. */
export type ParameterMessage = Exclude<MessageInitShape<typeof ParameterSchema>, Message>

/** An object or a list of values with its explanation. */
export type ParameterSectionMessage = Exclude<MessageInitShape<typeof ParameterSectionSchema>, Message>

/** The place of a value. */
export type ParameterOrigin = MessageInitShape<typeof ParameterOriginSchema>

/** Returns the place where an option of the source is set, for example `['helm', 'releaseName']`; undefined if it is not. */
export function optionOrigin(
  inspection: InspectedOptions,
  path: readonly (string | number)[],
): ParameterOrigin | undefined {
  const origin = inspection.originOf(path)
  return origin && { kind: origin.kind, file: origin.file, line: origin.line }
}
