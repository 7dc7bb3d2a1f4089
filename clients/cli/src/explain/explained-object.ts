import type { JsonObject } from '@bufbuild/protobuf'
import type {
  ExplainedDerivation,
  ExplainedParameter,
  ExplainedSource,
} from '@wadi/params/explain/explain.ts'

/** Returns an explained parameter as the data that commands print. */
export function explainedObject({ of, path, value, from, beats }: ExplainedParameter): JsonObject {
  return { of, path, value, from: sourceObject(from), beats: beats.map(sourceObject) }
}

function sourceObject({ derivedFrom, ...source }: ExplainedSource): JsonObject {
  return { ...source, ...(derivedFrom !== undefined && { derivedFrom: derivationObject(derivedFrom) }) }
}

function derivationObject({ step, from, beats }: ExplainedDerivation): JsonObject {
  return { step, from: sourceObject(from), beats: beats.map(sourceObject) }
}
