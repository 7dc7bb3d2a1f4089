import { toJson } from '@bufbuild/protobuf'
import type { DescMessage, JsonObject, MessageShape } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Returns a message as a JSON object with all of its fields. */
export function messageObject<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): JsonObject {
  const object = toJson(schema, message, { alwaysEmitImplicit: true })
  return isJsonObject(object) ? object : {}
}
