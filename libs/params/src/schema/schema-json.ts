import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { evaluationKeyword } from './evaluation-budget.ts'
import { quoted } from '../values/path.ts'
import type { Path } from '../values/path.ts'
import { isList } from '../values/value-tree.ts'
import { Float, isValueMap } from '../values/value.ts'
import type { Value, ValueMap } from '../values/value.ts'

/** Plain data without prototypes of its own making, as the checker of schemas takes it. */
export type PlainValue = null | boolean | number | string | PlainValue[] | PlainMap

/** An object of {@link PlainValue}; its keys are its own, `__proto__` too. */
export type PlainMap = { [key: string]: PlainValue }

/** Returns a value as plain data. Integers beyond 2^53 are rounded, since schemas know no others. */
export function plainValue(value: Value): PlainValue {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (isList(value)) return value.map(plainValue)
  return isValueMap(value) ? plainMap(value, plainValue) : value
}

function plainMap(map: ValueMap, convert: (member: Value, key: string) => PlainValue | undefined): PlainMap {
  const plain: PlainMap = {}
  for (const [key, member] of map) {
    const value = convert(member, key)
    if (value === undefined) continue
    Object.defineProperty(plain, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return plain
}

/** Returns the path that a JSON Pointer names. */
export function pathOf(pointer: string): Path {
  const keys = pointer.split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the part of plain data at a path; undefined where there is none. */
export function memberAt(value: PlainValue, path: Path): PlainValue | undefined {
  let current: PlainValue | undefined = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Array.isArray(current) ? current[Number(key)] : current[key]
  }
  return current
}

const maxNodes = 100_000
const maxDepth = 200

const references = ['$ref', '$dynamicRef', '$recursiveRef']

/** Keywords below which keys are names, and those below which there is data. */
const namedChildren = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
])
const dataKeywords = new Set(['enum', 'const', 'default', 'examples', 'dependentRequired', '$vocabulary'])

/** Keywords that ajv would read although JSON Schema does not have them: `nullable` is OpenAPI's, `$async` ajv's own. */
const unknown = new Set(['nullable', '$async'])

interface Conversion {
  where: string
  nodes: number
  /** The number of leaves in the part under way. */
  simpleParts: number
  /** True if `id` names a schema, as only in draft 4. */
  knowsId: boolean
}

/**
 * Returns a schema as plain data, without what only ajv would take for keywords, and with {@link evaluationKeyword}.
 *
 * @throws InvalidInputError when the schema is not a map or refers to another file.
 * @throws ResourceExhaustedError when it is too large or too deep.
 */
export function schemaJson(schema: Value, where: string, knowsId: boolean): PlainMap {
  if (!isValueMap(schema)) throw new InvalidInputError('a schema must be an object', { context: [where] })
  return schemaMap({ where, nodes: 0, simpleParts: 0, knowsId }, schema, [])
}

function schemaMap(conversion: Conversion, schema: ValueMap, path: readonly string[]): PlainMap {
  count(conversion, schema, path)
  for (const keyword of references) checkReference(conversion.where, keyword, schema.get(keyword), path)
  const simplePartsBefore = conversion.simpleParts
  conversion.simpleParts = 0
  const plain = plainMap(schema, (member, key) => {
    if (unknown.has(key) || (key === 'id' && !conversion.knowsId)) return undefined
    const below = [...path, key]
    if (dataKeywords.has(key)) return data(conversion, member, below)
    if (!namedChildren.has(key) || !isValueMap(member)) return schemaPart(conversion, member, below)
    count(conversion, member, below)
    return plainMap(member, (named, name) => schemaPart(conversion, named, [...below, name]))
  })
  const { simpleParts } = conversion
  conversion.simpleParts = simplePartsBefore
  // To count a part that has none in it itself would make checkers twice as large.
  const isSimple = simpleParts === 0 && path.length > 0 && !references.some((keyword) => schema.has(keyword))
  if (!isSimple) return { ...plain, [evaluationKeyword]: 1 + simpleParts }
  conversion.simpleParts++
  return plain
}

function schemaPart(conversion: Conversion, value: Value, path: readonly string[]): PlainValue {
  if (isValueMap(value)) return schemaMap(conversion, value, path)
  if (!isList(value)) return plainValue(value)
  count(conversion, value, path)
  return value.map((item, position) => schemaPart(conversion, item, [...path, String(position)]))
}

function data(conversion: Conversion, value: Value, path: readonly string[]): PlainValue {
  if (isValueMap(value)) {
    count(conversion, value, path)
    return plainMap(value, (member, key) => data(conversion, member, [...path, key]))
  }
  if (!isList(value)) return plainValue(value)
  count(conversion, value, path)
  return value.map((item, position) => data(conversion, item, [...path, String(position)]))
}

function count(conversion: Conversion, value: ValueMap | readonly Value[], path: readonly string[]): void {
  conversion.nodes += 1 + (isList(value) ? value.length : value.size)
  if (conversion.nodes > maxNodes) {
    throw new ResourceExhaustedError(`the schema has more than ${maxNodes} nodes`, {
      context: [conversion.where],
    })
  }
  if (path.length > maxDepth) {
    throw new ResourceExhaustedError(`the schema is nested deeper than ${maxDepth} levels`, {
      context: [conversion.where],
    })
  }
}

function checkReference(
  where: string,
  keyword: string,
  target: Value | undefined,
  path: readonly string[],
): void {
  if (typeof target !== 'string' || target.startsWith('#')) return
  throw new InvalidInputError(
    `schema contains an external "${keyword}" pointer ${quoted(target)}; only internal references ("#/...") are supported: put what it refers to under $defs or definitions of the same schema`,
    { context: [where, ...path] },
  )
}
