import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { t } from '../language/t.ts'

/** An object as its author edits it: without what the server owns. */
export function editableObject(object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object
  const { metadata } = rest
  if (!isJsonObject(metadata)) return rest
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    generation: _generation,
    managedFields: _fields,
    ...own
  } = metadata
  return { ...rest, metadata: own }
}

/** An object as YAML, as its author edits it. */
export function objectText(object: JsonObject): string {
  return emitManifests([editableObject(object)])
}

/** Reads what was typed, YAML or JSON, as Kubernetes reads it; `kind` names it in the text of an error. */
export function readTyped(text: string, kind: string): { value?: JsonObject; error?: string } {
  try {
    const { documents } = readYaml(text, kind)
    const [document, ...more] = documents
    if (!document || more.length > 0 || !isJsonObject(document.value))
      return { error: t('An {kind} is one object', { kind }) }
    return { value: wireObject(document.value) }
  } catch (error) {
    if (error instanceof InvalidInputError && error.at?.line !== undefined)
      return { error: t('Line {line, number}: {reason}', { line: error.at.line, reason: error.reason }) }
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** The messages of the server have no integers beyond those of a double. */
function wireObject(object: { [key: string]: unknown }): JsonObject {
  return JSON.parse(
    JSON.stringify(object, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    (_key, value: JsonValue) => value,
  ) as JsonObject
}
