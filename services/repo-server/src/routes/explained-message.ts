import { fromJson } from '@bufbuild/protobuf'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { ValueSchema } from '@bufbuild/protobuf/wkt'
import type {
  ExplainedDerivation,
  ExplainedParameter,
  ExplainedSource,
} from '@wadi/params/explain/explain.ts'
import type {
  ExplainedDerivationSchema,
  ExplainedParameterSchema,
  ExplainedSourceSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'

/** The message of a parameter with everything that it beat. */
export function explainedMessage({
  of,
  path,
  value,
  from,
  beats,
}: ExplainedParameter): MessageInitShape<typeof ExplainedParameterSchema> {
  return {
    of,
    path,
    value: fromJson(ValueSchema, value),
    from: sourceMessage(from),
    beats: beats.map(sourceMessage),
  }
}

function sourceMessage(source: ExplainedSource): MessageInitShape<typeof ExplainedSourceSchema> {
  const { owner, kind, label, file, line, value, derivedFrom } = source
  return {
    owner,
    kind,
    label: label ?? '',
    file,
    line: line ?? 0,
    value: fromJson(ValueSchema, value),
    ...(derivedFrom === undefined ? {} : { derivedFrom: derivationMessage(derivedFrom) }),
  }
}

function derivationMessage({
  step,
  from,
  beats,
}: ExplainedDerivation): MessageInitShape<typeof ExplainedDerivationSchema> {
  return { step, from: sourceMessage(from), beats: beats.map(sourceMessage) }
}
