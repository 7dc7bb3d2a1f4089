import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The schema of a custom resource, as far as it is used. */
export interface Schema {
  readonly type?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly default?: unknown
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-validations'?: readonly unknown[]
}

/** One thing that a schema rejects, as the causes of an Invalid status have it. */
export interface SchemaFinding {
  readonly reason: string
  readonly field: string
  readonly message: string
}

/** Returns a value without the fields that its schema does not know, and with the defaults of those that are missing; `apiVersion`, `kind` and `metadata` of the root stay. */
export function pruned(value: unknown, schema: Schema): unknown {
  if (!isJsonObject(value)) return value
  const { apiVersion, kind, metadata, ...fields } = value
  return { apiVersion, kind, metadata, ...prunedFields(fields, schema) }
}

function prunedValue(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => prunedValue(item, items))
  }
  return isJsonObject(value) ? prunedFields(value, schema) : value
}

function prunedFields(value: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const keepsOthers =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([field, known]) =>
    known.default === undefined || value[field] !== undefined ? [] : [[field, known.default] as const],
  )
  return Object.fromEntries([
    ...defaults,
    ...Object.entries(value).flatMap(([field, item]) => {
      const known = schema.properties?.[field] ?? others
      if (known !== undefined) return [[field, prunedValue(item, known)]]
      return keepsOthers ? [[field, item]] : []
    }),
  ])
}

/** Returns what the server rejects in an object; with an error it says that it left the rules of the schema unchecked. */
export function objectFindings(object: unknown, schema: Schema): SchemaFinding[] {
  const findings = schemaFindings(object, schema)
  if (findings.length > 0 && hasRules(schema)) findings.push(uncheckedRules)
  return findings
}

const uncheckedRules: SchemaFinding = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

function hasRules(schema: Schema): boolean {
  return (
    schema['x-kubernetes-validations'] !== undefined || Object.values(schema.properties ?? {}).some(hasRules)
  )
}

/** Returns what a schema rejects in a value; the fields of `metadata` are not its concern. */
function schemaFindings(value: unknown, schema: Schema, path = ''): SchemaFinding[] {
  const wrongType = typeFinding(value, schema, path)
  if (wrongType !== undefined) return [wrongType]
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined
      ? []
      : value.flatMap((item, index) => schemaFindings(item, items, `${path}[${index}]`))
  }
  if (!isJsonObject(value)) return scalarFindings(value, schema, path)
  const at = (field: string) => (path === '' ? field : `${path}.${field}`)
  const missing = (schema.required ?? [])
    .filter((field) => value[field] === undefined)
    .map((field) => ({ reason: 'FieldValueRequired', field: at(field), message: 'Required value' }))
  const inside = Object.entries(schema.properties ?? {})
    .filter(([field]) => value[field] !== undefined && (path !== '' || field !== 'metadata'))
    .flatMap(([field, known]) => schemaFindings(value[field], known, at(field)))
  return [...missing, ...inside]
}

function typeFinding(value: unknown, { type }: Schema, field: string): SchemaFinding | undefined {
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  const wanted = type === 'integer' ? 'number' : type
  if (wanted === undefined || wanted === found) return undefined
  const shown = JSON.stringify(found === 'number' && Number.isInteger(value) ? 'integer' : found)
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: `Invalid value: ${shown}: ${field} in body must be of type ${type}: ${shown}`,
  }
}

function scalarFindings(value: unknown, schema: Schema, field: string): SchemaFinding[] {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const supported = schema.enum.map((item) => JSON.stringify(item)).join(', ')
    const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`
    return [{ reason: 'FieldValueNotSupported', field, message }]
  }
  if (typeof value === 'string' && value.length < (schema.minLength ?? 0)) {
    const message = `Invalid value: ${JSON.stringify(value)}: ${field} in body should be at least ${schema.minLength} chars long`
    return [{ reason: 'FieldValueInvalid', field, message }]
  }
  return []
}
