import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { type BuiltInSchemas, checkBuiltIn } from '../kubernetes/check-built-in.ts'
import { inside, type ObjectCheck, report } from '../object-check.ts'
import { checkStructural } from './check-structural.ts'
import type { CustomKind } from './custom-kinds.ts'
import { fieldSchema, withDefaults } from './default-values.ts'
import type { StructuralSchema } from './structural-schema.ts'
import { findUnknownFields } from './unknown-fields.ts'

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
