import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { editableSet } from './application-set.ts'

/** A set as YAML, as its author edits it. */
export function setText(set: JsonObject): string {
  return emitManifests([editableSet(set)])
}

/** Reads what was typed, YAML or JSON, as Kubernetes reads it. @throws InvalidInputError with its line, or an Error */
export function typedSet(text: string): JsonObject {
  const { documents } = readYaml(text, 'ApplicationSet')
  const [document, ...more] = documents
  if (!document || more.length > 0 || !isJsonObject(document.value))
    throw new Error('An ApplicationSet is one object')
  return wireObject(document.value)
}

/** The messages of the server have no integers beyond those of a double. */
function wireObject(object: { [key: string]: unknown }): JsonObject {
  return JSON.parse(
    JSON.stringify(object, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    (_key, value: JsonValue) => value,
  ) as JsonObject
}
