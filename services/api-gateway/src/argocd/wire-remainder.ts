import type { DescMessage, JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { fromKubernetesJson, toKubernetesJson } from './kubernetes-json.ts'

/**
 * Returns what a client of Argo CD wrote in place of a stored object together with the fields of the stored one that the
 * client was never shown, for its messages do not have them. Such a field goes only with the object around it.
 * @param schema the message that the client was shown the stored object in
 */
export function withWireRemainder(schema: DescMessage, written: JsonObject, stored: JsonObject): JsonObject {
  return merged(written, stored, toKubernetesJson(schema, fromKubernetesJson(schema, stored)))
}

function merged(written: JsonObject, stored: JsonObject, shown: JsonObject): JsonObject {
  const result = { ...written }
  for (const [key, value] of Object.entries(stored)) {
    const [now, seen] = [written[key], shown[key]]
    if (seen === undefined) result[key] ??= value
    else if (isJsonObject(now) && isJsonObject(value) && isJsonObject(seen))
      result[key] = merged(now, value, seen)
  }
  return result
}
