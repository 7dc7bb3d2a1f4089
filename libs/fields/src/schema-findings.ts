import type { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { z } from 'zod'
import { mustBe, unknownField } from './field-findings.ts'
import type { FieldFinding } from './field-findings.ts'
import { findingsError, pathIn } from './field-places.ts'
import type { FieldPlaces } from './field-places.ts'
import type { ValueType } from './field-view.ts'
import { isJsonObject } from './json-object.ts'

interface SchemaFinding extends FieldFinding {
  readonly steps: readonly PropertyKey[]
}

const typesBySchema: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['array', 'list'],
  ['object', 'object'],
  ['record', 'object'],
])

/**
 * Reads a value by a schema of zod.
 * @throws InvalidInputError in the words of all readers, as {@link schemaError} says
 */
export function readBySchema<Result>(schema: z.ZodType<Result>, value: unknown, places: FieldPlaces): Result {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw schemaError(schema, value, parsed.error, places)
}

/**
 * Returns the error for what a schema of zod found wrong with a value, in the words of all readers. For anything but types, missing and
 * unknown fields the schema gives the words itself, such as `must be v3 or v4`; the path goes in front of them.
 */
export function schemaError(
  schema: z.ZodType,
  value: unknown,
  { issues }: z.ZodError,
  places: FieldPlaces,
): InvalidInputError {
  const findings = issues.flatMap((issue): SchemaFinding[] => {
    const steps = issue.path
    if (issue.code === 'unrecognized_keys') {
      const known = fieldsAt(schema, steps)
      return issue.keys.map((key) => {
        const path = pathIn(places, [...steps, key])
        return { steps: [...steps, key], path, message: unknownField(path, key, known), code: 'unknown' }
      })
    }
    const path = pathIn(places, steps)
    const node = valueAt(value, steps)
    const wanted = issue.code === 'invalid_type' ? typesBySchema.get(issue.expected) : undefined
    if (node === undefined && issue.code === 'invalid_type') {
      return [{ steps, path, message: `${path} is required`, code: 'missing' }]
    }
    const words = wanted === undefined ? issue.message : mustBe(wanted, node)
    const message = `${path} ${words}`.trimStart()
    return [{ steps, path, message, code: wanted === undefined ? 'value' : 'type', node }]
  })
  return findingsError(findings, places)
}

function fieldsAt(schema: z.core.$ZodType, steps: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fieldsAt(schema.unwrap(), steps)
  }
  const [step, ...others] = steps
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, others)
  if (!(schema instanceof z.ZodObject)) return []
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  if (step === undefined) return Object.keys(shape)
  const field = shape[String(step)]
  return field === undefined ? [] : fieldsAt(field, others)
}

function valueAt(value: unknown, steps: readonly PropertyKey[]): unknown {
  return steps.reduce<unknown>((node, step) => {
    if (Array.isArray(node)) return node[Number(step)]
    return isJsonObject(node) ? node[String(step)] : undefined
  }, value)
}
