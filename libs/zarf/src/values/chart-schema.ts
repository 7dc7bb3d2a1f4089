import type { Path } from '@wadi/params/values/path.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Value, ValueMap } from '@wadi/params/values/value.ts'

/** The keywords of a chart's schema that hold for values mapped to it. Defaults of the chart provide what is required. */
const keptKeywords = new Set(
  `type properties items additionalProperties const enum pattern minimum maximum exclusiveMinimum
    exclusiveMaximum minLength maxLength minItems maxItems`.split(/\s+/),
)

const references = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** Keywords whose references matter to the schema that has them, although the keywords themselves are not kept. */
const combining = new Set(
  `additionalItems allOf anyOf oneOf not if then else contains propertyNames patternProperties
    dependencies dependentSchemas prefixItems unevaluatedItems unevaluatedProperties contentSchema`.split(
    /\s+/,
  ),
)

const nothing: ValueMap = new Map()

/** Returns the part of a chart's schema that can be said of a package's values; parts with references are left out. */
export function usableSchema(schema: Value): ValueMap {
  if (!isValueMap(schema) || isReferring(schema)) return nothing
  const usable = new Map<string, Value>()
  for (const [key, value] of schema) {
    const kept = keptKeywords.has(key) ? usableKeyword(key, value) : undefined
    if (kept !== undefined) usable.set(key, kept)
  }
  return usable
}

function isReferring(schema: ValueMap): boolean {
  return schema.keys().some((key) => references.has(key) || (combining.has(key) && refersIn(schema.get(key))))
}

function refersIn(value: Value | undefined): boolean {
  if (isValueMap(value))
    return value.entries().some(([key, member]) => references.has(key) || refersIn(member))
  return Array.isArray(value) && value.some(refersIn)
}

function usableKeyword(key: string, value: Value): Value | undefined {
  if (key === 'properties') {
    const usable = [...(isValueMap(value) ? value : [])].map(([name, member]): [string, Value] => [
      name,
      isValueMap(member) ? usableSchema(member) : member,
    ])
    const properties = new Map(usable.filter(([, member]) => !isValueMap(member) || member.size > 0))
    return properties.size === 0 ? undefined : properties
  }
  if (key === 'items' || key === 'additionalProperties') {
    if (isValueMap(value)) {
      const usable = usableSchema(value)
      return usable.size === 0 ? undefined : usable
    }
    // That anything is allowed need not be said.
    return value === true || Array.isArray(value) ? undefined : value
  }
  return value
}

/** Returns what a schema says of the values at a path; undefined when it says nothing. */
export function schemaAt(schema: ValueMap, path: Path): ValueMap | undefined {
  let found: ValueMap | undefined = schema
  for (const key of path) {
    const properties: Value | undefined = found?.get('properties')
    const member: Value | undefined = isValueMap(properties) ? properties.get(key) : undefined
    const other: Value | undefined = member ?? found?.get('additionalProperties')
    found = isValueMap(other) ? other : undefined
  }
  return found
}

/** Returns a schema with another laid over what it says of the values at a path. */
export function overlaidAt(schema: Value | undefined, path: Path, overlay: ValueMap): ValueMap {
  const own = isValueMap(schema) ? schema : nothing
  const [key, ...rest] = path
  if (key === undefined) return overlaid(own, overlay)
  const properties = own.get('properties')
  const members: ValueMap = isValueMap(properties) ? properties : nothing
  const member = overlaidAt(members.get(key), rest, overlay)
  return new Map<string, Value>([
    ['type', 'object'],
    ...own,
    ['properties', new Map([...members, [key, member]])],
  ])
}

function overlaid(schema: ValueMap, overlay: ValueMap): ValueMap {
  const result = new Map(schema)
  for (const [key, value] of overlay) {
    const before = result.get(key)
    if (!isValueMap(value) || !isValueMap(before) || key === 'const') result.set(key, value)
    else if (key === 'properties') {
      const members = [...value].map(([name, member]): [string, Value] => {
        const own = before.get(name)
        return [name, isValueMap(own) && isValueMap(member) ? overlaid(own, member) : member]
      })
      result.set(key, new Map([...before, ...members]))
    } else result.set(key, overlaid(before, value))
  }
  return result
}

/** Returns a schema that says nothing of the values at a path, so that there may be any. */
export function withoutPath(schema: ValueMap, [key, ...rest]: Path): ValueMap {
  const properties = schema.get('properties')
  if (key === undefined || !isValueMap(properties)) return schema
  const member = properties.get(key)
  const members = new Map(properties)
  const result = new Map<string, Value>([...schema, ['properties', members]])
  if (rest.length > 0) {
    if (isValueMap(member)) members.set(key, withoutPath(member, rest))
    return result
  }
  members.delete(key)
  if (schema.get('additionalProperties') === false) result.delete('additionalProperties')
  return result
}
