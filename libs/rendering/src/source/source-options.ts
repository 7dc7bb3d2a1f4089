import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { placesBelow } from '@wadi/fields/field-places.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { readBySchema } from '@wadi/fields/schema-findings.ts'
import { z } from 'zod'
import type { SourceOptions } from './source.ts'

/** The options of a renderer: a sub-object of a source that has the renderer's name. */
export interface RendererOptions<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /**
   * Brings options that may be written in several ways to the one form that the schema checks.
   * @param exact the options with numbers as they are written, where the text is known
   * @throws InvalidInputError for what has none of the forms
   */
  readonly normalize?: (
    options: Readonly<Record<string, unknown>>,
    places: FieldPlaces,
    exact: Readonly<Record<string, unknown>>,
  ) => unknown
}

/** The part of a renderer that options are read by. */
export interface TakesOptions {
  /** Also the key of its options, if it has some. */
  readonly name: string
  /** The options that a source may have for it; undefined if it takes none. */
  readonly options?: RendererOptions
}

/**
 * Reads options as they stand in an Application: every field known, every type right, each renderer's in its one form.
 * @throws InvalidInputError that names every wrong field
 */
export function parseSourceOptions(
  value: unknown,
  places: FieldPlaces,
  renderers: readonly TakesOptions[],
): SourceOptions {
  return checkSourceOptions(normalizedOptions(value, places, renderers), places, renderers)
}

/**
 * Returns the options with each renderer's brought to the one form that its schema checks; nothing else is checked.
 * @param exact returns the options with numbers as they are written; by default the same
 * @throws InvalidInputError for what has none of the forms
 */
export function normalizedOptions(
  value: unknown,
  places: FieldPlaces,
  renderers: readonly TakesOptions[],
  exact: () => unknown = () => value,
): unknown {
  if (!isJsonObject(value)) return value
  const normalized = renderers.flatMap(({ name, options }): [string, unknown][] => {
    const given = value[name]
    if (options?.normalize === undefined || !isJsonObject(given)) return []
    const all = exact()
    const written = isJsonObject(all) ? all[name] : undefined
    const normal = options.normalize(
      given,
      placesBelow(places, name),
      isJsonObject(written) ? written : given,
    )
    return [[name, normal]]
  })
  return { ...value, ...Object.fromEntries(normalized) }
}

/**
 * The same check as {@link parseSourceOptions} for options that have been normalized.
 * @throws InvalidInputError that names every wrong field
 */
export function checkSourceOptions(
  value: unknown,
  places: FieldPlaces,
  renderers: readonly TakesOptions[],
): SourceOptions {
  return readBySchema(sourceOptionSchema(renderers), value, places)
}

/** Returns the keys that options may have: the names of the renderers that take some. */
export function optionNames(renderers: readonly TakesOptions[]): string[] {
  return renderers.flatMap(({ name, options }) => (options === undefined ? [] : [name]))
}

/** By list of renderers, of which a process has one. */
const schemas = new WeakMap<readonly TakesOptions[], z.ZodType<SourceOptions>>()

/** The schema of the options that a source may have for the renderers. */
export function sourceOptionSchema(renderers: readonly TakesOptions[]): z.ZodType<SourceOptions> {
  const known = schemas.get(renderers)
  if (known !== undefined) return known
  const shape = renderers.flatMap(({ name, options }): [string, z.ZodType][] =>
    options === undefined ? [] : [[name, options.schema.optional()]],
  )
  const schema = z.strictObject(Object.fromEntries(shape))
  schemas.set(renderers, schema)
  return schema
}
