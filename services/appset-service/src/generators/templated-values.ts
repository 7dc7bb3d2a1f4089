import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { textMap } from '../params/text-map.ts'
import type { GeneratorRun } from './generator-run.ts'

/**
 * Adds a generator's own `values` to a parameter set. Each is rendered with what the generator found and never with
 * other values: `values.<key>` for the default engine, the map `values` for Go templates.
 * @throws InvalidInputError for a value that is no text or cannot be rendered
 */
export async function withTemplatedValues(
  set: ParameterSet,
  values: unknown,
  run: GeneratorRun,
): Promise<ParameterSet> {
  const { origin } = set
  if (values === undefined || values === null) return set
  if (!isRecord(values)) throw new InvalidInputError(`${origin}: values has to be a map`)
  const render = run.engine(set.values)
  const rendered: [string, string][] = []
  for (const [key, text] of Object.entries(values)) {
    if (typeof text !== 'string') throw new InvalidInputError(`${origin}: values.${key} has to be a text`)
    await run.pace()
    rendered.push([key, render(text, `${origin}: values.${key}`)])
  }
  if (rendered.length === 0) return set
  const added = run.isGoTemplate
    ? { values: textMap(Object.fromEntries(rendered)) }
    : Object.fromEntries(rendered.map(([key, text]) => [`values.${key}`, text]))
  return { origin, values: { ...set.values, ...added } }
}
