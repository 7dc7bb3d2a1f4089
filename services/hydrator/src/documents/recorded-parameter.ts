import { type JsonValue, toJson } from '@bufbuild/protobuf'
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt'
import type {
  ExplainedDerivation,
  ExplainedParameter,
  ExplainedSource,
} from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'

/** A parameter as a `hydrator.metadata` has it: the fields of the message that are not empty. */
export interface RecordedParameter {
  of: string
  path: string
  value: JsonValue
  from?: RecordedSource
  beats?: RecordedSource[]
}

interface RecordedSource {
  owner: string
  kind: string
  label?: string
  file: string
  line?: number
  value: JsonValue
  derivedFrom?: RecordedDerivation
}

interface RecordedDerivation {
  step: string
  from?: RecordedSource
  beats?: RecordedSource[]
}

/** Returns a parameter in the form of `hydrator.metadata`. */
export function recordedParameter({ of, path, value, from, beats }: ExplainedParameter): RecordedParameter {
  return { of, path, value: jsonOf(value), ...provenance(from, beats) }
}

function provenance(
  from: ExplainedSource | undefined,
  beats: readonly ExplainedSource[],
): Pick<RecordedDerivation, 'from' | 'beats'> {
  return {
    ...(from && { from: recordedSource(from) }),
    ...(beats.length > 0 && { beats: beats.map(recordedSource) }),
  }
}

function recordedSource(source: ExplainedSource): RecordedSource {
  const { owner, kind, label, file, line, value, derivedFrom } = source
  return {
    owner,
    kind,
    ...(label !== '' && { label }),
    file,
    ...(line !== 0 && { line }),
    value: jsonOf(value),
    ...(derivedFrom && { derivedFrom: recordedDerivation(derivedFrom) }),
  }
}

function recordedDerivation({ step, from, beats }: ExplainedDerivation): RecordedDerivation {
  return { step, ...provenance(from, beats) }
}

function jsonOf(value: Value | undefined): JsonValue {
  return value === undefined ? null : toJson(ValueSchema, value)
}
