import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type ValuePath, setName } from '@wadi/params/values/set-name.ts'
import { KeyPatterns } from './key-patterns.ts'

/** The part of a schema that is about one value. */
export type SchemaPart = Readonly<Record<string, unknown>>

/** Most parts of a schema that are looked at and patterns that are tested, and most parts that are about one value. */
const maxSteps = 200_000
const maxPartsOfValue = 50

/** The parts of a chart's schema by the value that they are about. */
export interface SchemaParts {
  /** Returns the parts that all hold for the value at a path; none where the schema is silent or leaves a choice. */
  at(path: ValuePath): readonly SchemaPart[]
  /** True once the schema was too large to be followed to every value. */
  isCut(): boolean
}

/** Reads a schema that others wrote: references are followed inside of it alone, and the work is bounded. */
export function schemaParts(schema: unknown): SchemaParts {
  const known = new Map<string, readonly SchemaPart[]>()
  const patterns = new KeyPatterns()
  let steps = 0
  const matching = ({ patternProperties }: SchemaPart, key: string): unknown[] => {
    if (steps > maxSteps || !isJsonObject(patternProperties)) return []
    return Object.entries(patternProperties)
      .filter(
        ([pattern]) => (steps += patterns.cost(pattern, key)) <= maxSteps && patterns.allow(pattern, key),
      )
      .map(([, below]) => below)
  }
  const placesBelow = (part: SchemaPart, step: string | number): unknown[] => {
    if (typeof step === 'number') return [itemPlace(part, step)]
    const { properties, additionalProperties } = part
    const named = isJsonObject(properties) && Object.hasOwn(properties, step) ? [properties[step]] : []
    const found = [...named, ...matching(part, step)]
    return found.length > 0 ? found : [additionalProperties]
  }
  const partsOf = (place: unknown, found: Set<SchemaPart> = new Set()): Set<SchemaPart> => {
    if (!isJsonObject(place) || found.has(place) || found.size === maxPartsOfValue) return found
    if ((steps += 1) > maxSteps) return found
    found.add(place)
    const { $ref: reference, allOf } = place
    if (typeof reference === 'string') partsOf(schemaTarget(schema, reference), found)
    for (const each of Array.isArray(allOf) ? allOf.slice(0, maxPartsOfValue) : []) partsOf(each, found)
    partsOf(onlyChoice(place), found)
    return found
  }
  const at = (path: ValuePath): readonly SchemaPart[] => {
    const name = setName(path)
    const before = known.get(name)
    if (before !== undefined) return before
    const step = path.at(-1)
    const places =
      step === undefined ? [schema] : at(path.slice(0, -1)).flatMap((part) => placesBelow(part, step))
    const parts = places.reduce<Set<SchemaPart>>((found, place) => partsOf(place, found), new Set())
    known.set(name, [...parts])
    return [...parts]
  }
  return { at, isCut: () => steps > maxSteps }
}

/** Returns the part of a schema that a reference inside of it names; undefined for one that leads elsewhere, which is never read. */
export function schemaTarget(schema: unknown, reference: string): unknown {
  if (reference === '#') return schema
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (place, part) => (isJsonObject(place) && Object.hasOwn(place, part) ? place[part] : undefined),
      schema,
    )
}

/** The single alternative beside null. */
function onlyChoice({ anyOf, oneOf }: SchemaPart): unknown {
  const choices = [anyOf, oneOf].find((each) => Array.isArray(each)) ?? []
  const others = choices.filter((choice: unknown) => !isJsonObject(choice) || choice['type'] !== 'null')
  return others.length === 1 ? others[0] : undefined
}

function itemPlace(part: SchemaPart, position: number): unknown {
  const { items, prefixItems } = part
  const listed = [prefixItems, items].find((each) => Array.isArray(each))
  return listed?.[position] ?? (Array.isArray(items) ? part['additionalItems'] : items)
}
