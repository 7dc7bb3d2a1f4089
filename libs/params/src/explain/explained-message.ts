import { create, fromJson, toJson } from '@bufbuild/protobuf'
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt'
import type { ExplainedDerivation, ExplainedParameter, ExplainedSource, PrintableValue } from './explain.ts'
import {
  type ExplainedDerivation as DerivationMessage,
  ExplainedDerivationSchema,
  type ExplainedParameter as ParameterMessage,
  ExplainedParameterSchema,
  type ExplainedSource as SourceMessage,
  ExplainedSourceSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'

const owners = ['tool', 'operator', 'developer'] as const

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

/** Returns the parameter of a message. */
export function explainedParameter({ of, path, value, from, beats }: ParameterMessage): ExplainedParameter {
  return { of, path, value: plainValue(value), from: sourceOf(from), beats: beats.map(sourceOf) }
}

function sourceOf(message: SourceMessage | undefined): ExplainedSource {
  const { owner, kind, label, file, line, value, derivedFrom } = message ?? create(ExplainedSourceSchema)
  return {
    owner: owners.find((one) => one === owner) ?? 'tool',
    kind: kind === 'value' ? 'value' : 'default',
    ...(label !== '' && { label }),
    file,
    ...(line > 0 && { line }),
    value: plainValue(value),
    ...(derivedFrom && {
      derivedFrom: {
        step: derivedFrom.step,
        from: sourceOf(derivedFrom.from),
        beats: derivedFrom.beats.map(sourceOf),
      },
    }),
  }
}

function plainValue(value: Value | undefined): PrintableValue {
  return value === undefined ? null : toJson(ValueSchema, value)
}
