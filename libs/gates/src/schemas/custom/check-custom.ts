import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { type BuiltInSchemas, checkBuiltIn } from '../kubernetes/check-built-in.ts'
import { inside, mayGoOn, type ObjectCheck, report, reportUnknown } from '../object-check.ts'
import { checkStructural } from './check-structural.ts'
import type { CustomKind } from './custom-kinds.ts'
import { fieldSchema, withDefaults } from './default-values.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** The knowledge that a custom resource is checked by. */
export interface CustomResource {
  readonly customKind: CustomKind
  readonly version: string
  readonly minorVersion: number
  readonly builtIn: BuiltInSchemas
}

const objectMeta = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }

/** Checks a custom resource by the schema that its definition has for its version. */
export function checkCustom(
  object: Manifest,
  { customKind, version, minorVersion, builtIn }: CustomResource,
  check: ObjectCheck,
): void {
  const read = customKind.versions.get(version)
  if (read === undefined) {
    const served = [...customKind.versions.keys()].join(', ')
    return report(
      check,
      'unknown-kind',
      `is not a version of its CustomResourceDefinition; expected one of ${served}`,
      'apiVersion',
    )
  }
  checkMetadata(object, builtIn, check)
  const schema = read()
  if (schema === undefined) return
  findUnknownFields(object, schema, check, true)
  checkStructural(withDefaults(object, schema, check), schema, minorVersion, check)
  checkResources(object, schema, builtIn, check)
}

function checkMetadata({ metadata = null }: Manifest, builtIn: BuiltInSchemas, check: ObjectCheck): void {
  inside(check, 'metadata', () => checkBuiltIn(metadata, objectMeta, builtIn, check))
}

/** Checks the objects within an object: `x-kubernetes-embedded-resource`. */
function checkResources(
  value: JsonValue,
  schema: StructuralSchema,
  builtIn: BuiltInSchemas,
  check: ObjectCheck,
): void {
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return
    for (const [index, item] of value.entries()) {
      inside(check, index, () => checkResources(item, items, builtIn, check))
    }
  } else if (isJsonObject(value)) {
    if (schema.isResource) checkResource(value, builtIn, check)
    for (const [field, item] of Object.entries(value)) {
      const known = fieldSchema(schema, field)
      if (known !== undefined) inside(check, field, () => checkResources(item, known, builtIn, check))
    }
  }
}

function checkResource(value: Manifest, builtIn: BuiltInSchemas, check: ObjectCheck): void {
  for (const field of ['apiVersion', 'kind']) {
    const found = Object.hasOwn(value, field) ? value[field] : undefined
    if (found === undefined) report(check, 'required', 'is required', field)
    else if (typeof found !== 'string' || found === '') report(check, 'wrong-type', 'must be a string', field)
  }
  checkMetadata(value, builtIn, check)
}

const resourceFields = ['apiVersion', 'kind', 'metadata']

/**
 * Finds the fields that the API server would remove, as `pruning` of k8s.io/apiextensions-apiserver does.
 * @param schema undefined where nothing is known: there every field is unknown
 * @param isResource true for the object itself, whose `apiVersion`, `kind` and `metadata` its schema need not name
 */
function findUnknownFields(
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
