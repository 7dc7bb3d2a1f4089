import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The part of a forge's published OpenAPI description that Wadi uses. */
interface ForgeDescription {
  /** Which description it was cut from, with its version. */
  source: string
  operations: {
    method: string
    path: string
    parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[]
    body?: Record<string, unknown>
  }[]
}

/** A request as a server got it. */
interface SeenRequest {
  method: string
  /** Without the part for the version. */
  path: string
  query: URLSearchParams
  /** Undefined without one. */
  body: unknown
}

/** Reads the description of a forge's API. */
export function describedApi(forge: string): ForgeDescription {
  const file = join(import.meta.dirname, 'testdata', `${forge}-api.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as ForgeDescription
}

/** Returns the parts of a request that the description does not allow; empty for a valid one. */
export function violationsOf({ operations }: ForgeDescription, request: SeenRequest): string[] {
  const { method, path, query, body } = request
  const operation = operations.find((known) => known.method === method && matches(known.path, path))
  if (!operation) return [`${method} ${path} is not described`]
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const unknown = [...query.keys()].filter((name) => known.every((parameter) => parameter.name !== name))
  const values = known.flatMap(({ name, required, schema }) => {
    const value = query.get(name)
    if (value === null) return required ? [`query ${name} is missing`] : []
    return schemaViolations(schema, asQueryValue(schema, value), `query ${name}`)
  })
  const bodies =
    operation.body === undefined
      ? body === undefined
        ? []
        : ['a body is not described']
      : schemaViolations(operation.body, body ?? {}, 'body')
  return [...unknown.map((name) => `query ${name} is not described`), ...values, ...bodies]
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith('{') || part === given[index])
  )
}

function asQueryValue(schema: Record<string, unknown>, value: string): unknown {
  if (schema['type'] === 'integer' || schema['type'] === 'number')
    return /^\d+$/.test(value) ? Number(value) : value
  return schema['type'] === 'boolean' ? (value === 'true' ? true : value === 'false' ? false : value) : value
}

function schemaViolations(schema: Record<string, unknown>, value: unknown, at: string): string[] {
  if (value === null && schema['nullable'] === true) return []
  const some = [schema['oneOf'], schema['anyOf']].flatMap((all) => (Array.isArray(all) ? [all] : []))
  const alternatives = some.flatMap((all: unknown[]) => {
    const each = all.filter(isJsonObject).map((one) => schemaViolations({ ...one, open: true }, value, at))
    return each.some((found) => found.length === 0) ? [] : (each[0] ?? [])
  })
  const parts: unknown[] = Array.isArray(schema['allOf']) ? schema['allOf'] : []
  return [
    ...typeViolations(schema, value, at),
    ...alternatives,
    ...parts.filter(isJsonObject).flatMap((part) => schemaViolations(part, value, at)),
    ...(Array.isArray(value) ? itemViolations(schema, value, at) : []),
    ...(isJsonObject(value) ? propertyViolations(schema, value, at) : []),
  ]
}

function typeViolations(schema: Record<string, unknown>, value: unknown, at: string): string[] {
  const { type, enum: allowed, maxLength } = schema
  const found = Array.isArray(value) ? 'array' : typeof value
  const isType =
    type === undefined || type === found || (type === 'integer' ? Number.isInteger(value) : false)
  if (!isType) return [`${at} is of type ${found}, not ${JSON.stringify(type)}`]
  if (Array.isArray(allowed) && !allowed.includes(value)) return [`${at} is ${JSON.stringify(value)}`]
  const isLong = typeof value === 'string' && typeof maxLength === 'number' && value.length > maxLength
  return isLong ? [`${at} has more than ${maxLength} characters`] : []
}

function itemViolations(schema: Record<string, unknown>, value: readonly unknown[], at: string): string[] {
  const { items, minItems, maxItems } = schema
  const count = value.length
  if (typeof minItems === 'number' && count < minItems) return [`${at} has ${count} items`]
  if (typeof maxItems === 'number' && count > maxItems) return [`${at} has ${count} items`]
  return isJsonObject(items) ? value.flatMap((item, i) => schemaViolations(items, item, `${at}[${i}]`)) : []
}

/** Forges ignore unknown fields, and a test would not notice one that is misspelled. */
function propertyViolations(
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
  at: string,
): string[] {
  const { properties, required, open } = schema
  const missing = (Array.isArray(required) ? required : []).filter(
    (name) => typeof name === 'string' && !Object.hasOwn(value, name),
  )
  if (!isJsonObject(properties)) return missing.map((name) => `${at}.${String(name)} is missing`)
  const each = Object.entries(value).flatMap(([name, field]) => {
    const property = properties[name]
    if (isJsonObject(property)) return schemaViolations(property, field, `${at}.${name}`)
    return open === true && schema['type'] === undefined ? [] : [`${at}.${name} is not described`]
  })
  return [...missing.map((name) => `${at}.${String(name)} is missing`), ...each]
}
