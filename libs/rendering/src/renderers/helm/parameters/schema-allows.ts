import { isJsonObject } from '@wadi/fields/json-object.ts'
import { KeyPatterns } from './key-patterns.ts'
import { schemaTarget } from './schema-parts.ts'

/** Most references and combinations that are followed on the way to one value, and most steps of testing patterns. */
const maxSteps = 1000
const maxPatternSteps = 10_000

/**
 * Returns whether a chart's schema has a value at a path or says that there may be one: by its name, a pattern, as an additional one, or
 * by a reference that is not followed here. A schema that says nothing of it does not.
 */
export function schemaAllows(schema: unknown, path: readonly (string | number)[]): boolean {
  const patterns = new KeyPatterns()
  let steps = 0
  let patternSteps = 0
  const matches = (pattern: string, key: string): boolean =>
    (patternSteps += patterns.cost(pattern, key)) > maxPatternSteps || patterns.allow(pattern, key)
  const allows = (place: unknown, depth: number): boolean => {
    if ((steps += 1) > maxSteps) return true
    if (!isJsonObject(place)) return place === true
    const { $ref: reference } = place
    if (typeof reference === 'string') {
      const target = schemaTarget(schema, reference)
      if (target === undefined || allows(target, depth)) return true
    }
    const combined = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((key) => place[key] ?? [])
    if (combined.some((each) => allows(each, depth))) return true
    const step = path[depth]
    if (step === undefined) return true
    if (depth > 0 && place['type'] === 'object' && closing.every((key) => place[key] === undefined))
      return true
    return placesBelow(place, step, matches).some((below) => below !== undefined && allows(below, depth + 1))
  }
  return allows(schema, 0)
}

/** An object of a schema with none of these may have any values, and is there for them. */
const closing = ['properties', 'patternProperties', 'additionalProperties', '$ref', 'allOf', 'anyOf', 'oneOf']

/** Returns the parts of a schema that are about the value at a key or position: each a schema or a boolean. */
function placesBelow(
  place: Record<string, unknown>,
  step: string | number,
  matches: (pattern: string, key: string) => boolean,
): unknown[] {
  if (typeof step === 'number') return [place['items'], place['additionalItems']].flat()
  const { properties, patternProperties } = place
  const named = isJsonObject(properties) && Object.hasOwn(properties, step) ? [properties[step]] : []
  const matching = Object.entries(isJsonObject(patternProperties) ? patternProperties : {})
    .filter(([pattern]) => matches(pattern, step))
    .map(([, below]) => below)
  return [...named, ...matching, place['additionalProperties'], place['unevaluatedProperties']]
}
