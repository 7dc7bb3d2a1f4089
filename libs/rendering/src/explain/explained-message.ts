import { create, fromJson } from '@bufbuild/protobuf'
import { ValueSchema } from '@bufbuild/protobuf/wkt'
import type {
  ExplainedDerivation,
  ExplainedParameter,
  ExplainedSource,
} from '@wadi/params/explain/explain.ts'
import {
  type ExplainedDerivation as DerivationMessage,
  ExplainedDerivationSchema,
  type ExplainedParameter as ParameterMessage,
  ExplainedParameterSchema,
  type ExplainedSource as SourceMessage,
  ExplainedSourceSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'

/** The message of a parameter with everything that it overrides. */
export function explainedMessage({ of, path, value, from, beats }: ExplainedParameter): ParameterMessage {
  return create(ExplainedParameterSchema, {
    of,
    path,
    value: fromJson(ValueSchema, value),
    from: sourceMessage(from),
    beats: beats.map(sourceMessage),
  })
}

function sourceMessage(source: ExplainedSource): SourceMessage {
  const { owner, kind, label, file, line, value, derivedFrom } = source
  return create(ExplainedSourceSchema, {
    owner,
    kind,
    label: label ?? '',
    file,
    line: line ?? 0,
    value: fromJson(ValueSchema, value),
    ...(derivedFrom === undefined ? {} : { derivedFrom: derivationMessage(derivedFrom) }),
  })
}

function derivationMessage({ step, from, beats }: ExplainedDerivation): DerivationMessage {
  return create(ExplainedDerivationSchema, {
    step,
    from: sourceMessage(from),
    beats: beats.map(sourceMessage),
  })
}
