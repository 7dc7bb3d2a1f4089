import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { missingKeyCode } from '@wadi/engines/templates/template.ts'
import type { GeneratorEntry } from '../application-set.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { renderStrings } from '../templates/render-strings.ts'
import type { TextRenderer } from '../templates/text-engine.ts'
import type { GeneratorRun } from './generator-run.ts'

/**
 * A generator with the values of the row before it put into all of its texts, but not into its `selector`. With Go
 * templates an entry of its `values` that names a key which the row lacks stays as it is: the generator itself renders
 * it. Generators inside of it are left alone: they are rendered when they run, with what is before them then.
 * @throws InvalidInputError naming the text and the row
 */
export async function interpolatedGenerator(
  { path, fields }: GeneratorEntry,
  row: ParameterSet,
  run: GeneratorRun,
): Promise<GeneratorEntry> {
  // As Argo CD does it: nothing is rendered when there is nothing to put in.
  if (Object.keys(row.values).length === 0) return { path, fields }
  const render = run.engine(row.values)
  const strict = run.strictEngine(row.values)
  const interpolate = async ([kind, value]: [string, unknown]): Promise<[string, unknown]> => {
    if (kind === 'selector' || !isJsonObject(value)) return [kind, value]
    const { template: _, values, generators, ...rest } = value
    const at = `${path}.${kind}`
    const rendered = await renderStrings(rest, render, at)
    const own = run.isGoTemplate
      ? await valuesInReach(values, { strict, render }, `${at}.values`)
      : await renderStrings(values, render, `${at}.values`)
    return [
      kind,
      {
        ...(isJsonObject(rendered) && rendered),
        ...(own !== undefined && { values: own }),
        ...(generators !== undefined && { generators }),
      },
    ]
  }
  try {
    const entries: [string, unknown][] = []
    for (const entry of Object.entries(fields)) entries.push(await interpolate(entry))
    return { path, fields: Object.fromEntries(entries) }
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause
    throw cause.with({ reason: `${cause.reason} (with the values of ${row.origin})` })
  }
}

async function valuesInReach(
  values: unknown,
  { strict, render }: { strict: TextRenderer; render: TextRenderer },
  path: string,
): Promise<unknown> {
  if (!isJsonObject(values)) return values
  const keys = await render(Object.keys(values).map((key) => ({ path: `${path}.${key}`, text: key })))
  const rendered: [string, unknown][] = []
  for (const [index, [key, value]] of Object.entries(values).entries()) {
    const at = `${path}.${key}`
    rendered.push([
      keys[index] ?? key,
      typeof value === 'string' ? await renderedIfKnown(value, strict, at) : value,
    ])
  }
  return Object.fromEntries(rendered)
}

async function renderedIfKnown(text: string, strict: TextRenderer, path: string): Promise<string> {
  try {
    const [rendered = text] = await strict([{ path, text }])
    return rendered
  } catch (error) {
    if (error instanceof InvalidInputError && error.code === missingKeyCode) return text
    throw error
  }
}
