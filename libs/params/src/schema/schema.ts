import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import type { ErrorObject } from 'ajv'
import { EvaluationBudgetError } from './evaluation-budget.ts'
import { errorText } from './error-text.ts'
import { quoted } from '../values/path.ts'
import type { Path } from '../values/path.ts'
import { compileSchema, draftOf, schemaChecker } from './schema-drafts.ts'
import type { Draft } from './schema-drafts.ts'
import { memberAt, pathOf, plainValue, schemaJson } from './schema-json.ts'
import type { PlainMap, PlainValue } from './schema-json.ts'
import { TookTooLongError, withinTime } from './time-limit.ts'
import { copyMap, copyValue, isList } from '../values/value-tree.ts'
import type { OwnMap } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Value, ValueMap } from '../values/value.ts'

/** One thing that a schema says is wrong with a value. */
export interface SchemaError {
  /** Leads to the value that is wrong; positions in lists as text. */
  path: Path
  /** The error, path first: `a.b: Invalid type. Expected: string, given: integer`, `(root): w is required`. */
  message: string
  /** The place of the value in a file, if the caller knows it. */
  at?: Location
}

/** The options of a check. */
export interface ValidationOptions {
  /** True if missing properties are no error, as in checks before all values are known. */
  skipRequired: boolean
  /** Names the schema in errors, for example `packages/web/values.schema.json`. */
  where: string
  /** Returns where the value at a path is written. */
  locate?: (path: Path) => Location | undefined
  /**
   * The longest time for compiling and checking; 10,000 by default. The schema of a real package takes a few milliseconds and 14,000 parts
   * about a second, on a processor that does nothing else.
   */
  maxMilliseconds?: number
}

const maxErrors = 1000

/**
 * Checks a value with a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12, as its `$schema` says; draft 7 without one.
 * Formats are checked on texts alone, and `default` is never applied. All errors are returned, up to a thousand.
 *
 * @throws InvalidInputError when the schema itself is wrong, refers to another file, or takes too long to check.
 * @throws ResourceExhaustedError when the schema is larger or deeper than a person writes one.
 */
export function validate(schema: Value, value: Value, options: ValidationOptions): SchemaError[] {
  const { skipRequired, where, locate, maxMilliseconds = 10_000 } = options
  const limit = { where, maxMilliseconds }
  const { draft, json } = readSchema(schema, limit)
  const plain = plainValue(value)
  return bounded(limit, () => errorsOf(json, draft, plain))
    .filter((error) => !skipRequired || error.keyword !== 'required')
    .slice(0, maxErrors)
    .map((error) => {
      const path = pathOf(error.instancePath)
      const at = locate?.(path)
      const message = messageOf(error, path, plain)
      return at === undefined ? { path, message } : { path, message, at }
    })
}

/** The time limit of one step, and the schema that its error names. */
type Limit = Required<Pick<ValidationOptions, 'where' | 'maxMilliseconds'>>

function readSchema(schema: Value, limit: Limit): { draft: Draft; json: PlainMap } {
  const { where } = limit
  const declared = isValueMap(schema) ? schema.get('$schema') : undefined
  const named = typeof declared === 'string' ? draftOf(declared) : undefined
  const draft = named ?? '7'
  const json = schemaJson(schema, where, draft === '4')
  const reason = schemaError(json, draft, limit)
  if (reason === undefined) return { draft, json }
  // Zarf reads a schema that names no draft as any of 4, 6 and 7.
  if (named === undefined) {
    const older = schemaJson(schema, where, true)
    if (schemaError(older, '4', limit) === undefined) return { draft: '4', json: older }
  }
  throw new InvalidInputError(`invalid JSON schema: ${reason}`, { context: [where] })
}

function schemaError(json: PlainMap, draft: Draft, limit: Limit): string | undefined {
  const check = schemaChecker(draft)
  const [error] = bounded(limit, () => (check(json) ? [] : (check.errors ?? [])))
  return error && messageOf(error, pathOf(error.instancePath), json)
}

function errorsOf(json: PlainMap, draft: Draft, plain: PlainValue): ErrorObject[] {
  const check = compileSchema(json, draft)
  return check(plain) ? [] : (check.errors ?? [])
}

/** Does what a schema says, which others wrote: it may take long, call itself without end, or be wrong. */
function bounded<Result>({ where, maxMilliseconds }: Limit, work: () => Result): Result {
  try {
    return withinTime(maxMilliseconds, work)
  } catch (error) {
    throw new InvalidInputError(schemaTrouble(error), { context: [where], cause: error })
  }
}

function schemaTrouble(error: unknown): string {
  if (error instanceof TookTooLongError) {
    return `checking ${error.message}; simplify the schema's patterns and references`
  }
  if (error instanceof EvaluationBudgetError) return errorMessage(error)
  if (error instanceof RangeError)
    return 'the references of the schema lead too deep, or back to where they are, without end'
  return `invalid JSON schema: ${errorMessage(error)}`
}

function messageOf(error: ErrorObject, path: Path, plain: PlainValue): string {
  const field = path.length === 0 ? '(root)' : path.join('.')
  return `${field}: ${errorText(error, field, memberAt(plain, path))}`
}

/** A schema and what it is called in errors. */
export interface NamedSchema {
  where: string
  schema: Value
}

/**
 * Returns the schema of a package that imports others. `schemas` begins with the importing package's own, which wins;
 * `properties`, `definitions`, `$defs`, `patternProperties` and `dependentSchemas` are merged, `required` united.
 *
 * @throws InvalidInputError when there are several and their `$schema` differ or one has none.
 */
export function mergeSchemas(schemas: readonly NamedSchema[]): Value {
  if (schemas.length > 1) checkSameDraft(schemas)
  return schemas.reduce<Value>(
    (merged, { schema }) => (isValueMap(schema) ? mergeSchema(merged, schema) : merged),
    new Map(),
  )
}

function checkSameDraft(schemas: readonly NamedSchema[]): void {
  let expected: string | undefined
  for (const { where, schema } of schemas) {
    const declared = isValueMap(schema) ? schema.get('$schema') : undefined
    if (typeof declared !== 'string' || declared === '') {
      throw new InvalidInputError(
        `schema ${where}: missing "$schema" version declaration; all schemas being merged must specify a version`,
      )
    }
    expected ??= declared
    if (declared === expected) continue
    throw new InvalidInputError(
      `cannot merge schemas with different versions: accumulated schema uses ${quoted(expected)} but ${where} declares ${quoted(declared)}`,
    )
  }
}

const mergedKeywords = new Set([
  'properties',
  'definitions',
  '$defs',
  'patternProperties',
  'dependentSchemas',
])

function mergeSchema(parent: Value, child: ValueMap): Value {
  if (!isValueMap(parent)) return parent
  const merged = copyMap(parent)
  for (const [key, value] of child) {
    const own = merged.get(key)
    if (own === undefined) merged.set(key, copyValue(value))
    else if (mergedKeywords.has(key)) merged.set(key, mergeNamed(own, value))
    else if (key === 'required') merged.set(key, union(own, value))
  }
  return merged
}

function mergeNamed(parent: Value, child: Value): Value {
  if (!isValueMap(parent) || !isValueMap(child)) return parent
  const merged: OwnMap = new Map(parent)
  for (const [name, schema] of child) {
    const own = merged.get(name)
    if (own === undefined) merged.set(name, copyValue(schema))
    else if (isValueMap(schema)) merged.set(name, mergeSchema(own, schema))
  }
  return merged
}

function union(parent: Value, child: Value): Value {
  const names = [parent, child].flatMap((list) => (isList(list) ? list : []))
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}
