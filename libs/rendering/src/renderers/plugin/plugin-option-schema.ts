import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { placesBelow } from '@wadi/fields/field-places.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { readParameters } from '@wadi/plugins/parameters/read-parameters.ts'
import { z } from 'zod'

/** The options that a source has as `plugin`. */
export const pluginOptionSchema = z.strictObject({
  name: z.string().optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string().optional() })).optional(),
  /** Checked where they are read, by {@link withReadParameters}. */
  parameters: z.custom<readonly Parameter[]>(Array.isArray).optional(),
})

/** Options of `source.plugin`; its parameters are in the one form that every way of writing them is brought to. */
export type PluginOptions = z.infer<typeof pluginOptionSchema>

/**
 * Returns the options with `parameters`, however they are written, in the form of `PluginOptions`; nothing else is checked.
 * @param exact the options with numbers as they are written
 * @throws InvalidInputError that names the parameter by its index
 */
export function withReadParameters(
  options: Readonly<Record<string, unknown>>,
  places: FieldPlaces,
  exact: Readonly<Record<string, unknown>>,
): unknown {
  const { parameters } = exact
  if (parameters === undefined) return options
  return { ...options, parameters: readParameters(parameters, placesBelow(places, 'parameters')) }
}
