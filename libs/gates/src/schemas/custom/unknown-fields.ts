import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { inside, mayGoOn, type ObjectCheck, reportUnknown } from '../object-check.ts'
import { fieldSchema } from './default-values.ts'
import type { StructuralSchema } from './structural-schema.ts'

const resourceFields = ['apiVersion', 'kind', 'metadata']

/**
 * Finds the fields that the API server would remove, as `pruning` of k8s.io/apiextensions-apiserver does.
 * @param schema undefined where nothing is known: there every field is unknown
 * @param isResource true for the object itself, whose `apiVersion`, `kind` and `metadata` its schema need not name
 */
export function findUnknownFields(
  value: JsonValue,
  schema: StructuralSchema | undefined,
  check: ObjectCheck,
  isResource = schema?.isResource ?? false,
): void {
  if (!mayGoOn(check)) return
  if (Array.isArray(value)) {
    const items = schema?.items
    // What is in a list without a schema stays if the list may have unknown fields.
    if (items === undefined && schema?.keepsUnknown === true) return
    const inherits = schema?.keepsUnknown === true && items !== undefined
    const known = inherits ? { ...items, keepsUnknown: true } : items
    for (const [index, item] of value.entries()) {
      inside(check, index, () => findUnknownFields(item, known, check))
    }
  } else if (isJsonObject(value)) {
    findInFields(value, schema, check, isResource)
  }
}

function findInFields(
  value: Manifest,
  schema: StructuralSchema | undefined,
  check: ObjectCheck,
  isResource: boolean,
): void {
  for (const [field, item] of Object.entries(value)) {
    if (isResource && resourceFields.includes(field)) continue
    const known = schema === undefined ? undefined : fieldSchema(schema, field)
    const isKnown = known !== undefined || (schema?.others !== undefined && schema.others !== false)
    if (isKnown && (known !== undefined || schema?.keepsUnknown !== true)) {
      inside(check, field, () => findUnknownFields(item, known, check))
    } else if (!isKnown && schema?.keepsUnknown !== true) {
      reportUnknown(check, field, [...(schema?.properties.keys() ?? [])], 'its CustomResourceDefinition')
    }
  }
}
