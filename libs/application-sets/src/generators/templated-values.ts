import { mustBe } from '@wadi/fields/field-findings.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inPath } from '@wadi/errors/with-context.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { textMap } from '../params/text-map.ts'
import type { GeneratorRun } from './generator-run.ts'

/**
 * Adds a generator's own `values` to a parameter set. Each is rendered with what the generator found and never with
 * other values: `values.<key>` for the default engine, the map `values` for Go templates.
 * @throws InvalidInputError for a value that is not text or cannot be rendered
 */
export async function withTemplatedValues(
  set: ParameterSet,
  values: unknown,
  run: GeneratorRun,
): Promise<ParameterSet> {
  const { origin } = set
  if (values === undefined || values === null) return set
  if (!isJsonObject(values)) throw invalid(origin, `values ${mustBe('object', values)}`)
  const render = run.engine(set.values)
  const keys = Object.keys(values)
  if (keys.length === 0) return set
  const texts = Object.entries(values).map(([key, text]) => {
    if (typeof text !== 'string') throw invalid(origin, `values.${key} ${mustBe('string', text)}`)
    return { path: `${origin}: values.${key}`, text }
  })
  const rendered = await render(texts)
  const added = run.isGoTemplate
    ? { values: textMap(Object.fromEntries(keys.map((key, index) => [key, rendered[index] ?? ''] as const))) }
    : Object.fromEntries(keys.map((key, index) => [`values.${key}`, rendered[index] ?? '']))
  return { origin, values: { ...set.values, ...added } }
}

function invalid(origin: string, reason: string): InvalidInputError {
  return inPath(origin, new InvalidInputError(reason))
}
