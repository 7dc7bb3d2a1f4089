import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { GeneratorEntry } from '../application-set.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { renderTree } from '../templates/render-tree.ts'
import type { TextRenderer } from '../templates/text-engine.ts'
import type { GeneratorRun } from './generator-run.ts'

/**
 * A generator with the values of the row before it put into all of its texts, but not into its `selector`. With Go
 * templates an entry of its `values` that names a key which the row lacks stays as it is: the generator itself renders
 * it. Generators inside of it are left alone: they are rendered when they run, with what is before them then.
 * @throws InvalidInputError naming the text and the row
 */
export function interpolatedGenerator(
  { path, fields }: GeneratorEntry,
  row: ParameterSet,
  run: GeneratorRun,
): GeneratorEntry {
  // As Argo CD does it: nothing is rendered when there is nothing to put in.
  if (Object.keys(row.values).length === 0) return { path, fields }
  const render = run.engine(row.values)
  const strict = run.strictEngine(row.values)
  const interpolate = ([kind, value]: [string, unknown]): [string, unknown] => {
    if (kind === 'selector' || !isRecord(value)) return [kind, value]
    const { template: _, values, generators, ...rest } = value
    const at = `${path}.${kind}`
    const rendered = renderTree(rest, render, at)
    const own = run.isGoTemplate
      ? valuesInReach(values, strict, render, `${at}.values`)
      : renderTree(values, render, `${at}.values`)
    return [
      kind,
      {
        ...(isRecord(rendered) && rendered),
        ...(own !== undefined && { values: own }),
        ...(generators !== undefined && { generators }),
      },
    ]
  }
  try {
    return { path, fields: Object.fromEntries(Object.entries(fields).map(interpolate)) }
  } catch (cause) {
    if (cause instanceof DomainError) cause.message = `${cause.message} (with the values of ${row.origin})`
    throw cause
  }
}

function valuesInReach(values: unknown, strict: TextRenderer, render: TextRenderer, path: string): unknown {
  if (!isRecord(values)) return values
  const rendered = Object.entries(values).map(([key, value]): [string, unknown] => {
    const at = `${path}.${key}`
    return [render(key, at), typeof value === 'string' ? renderedIfKnown(value, strict, at) : value]
  })
  return Object.fromEntries(rendered)
}

function renderedIfKnown(text: string, strict: TextRenderer, path: string): string {
  try {
    return strict(text, path)
  } catch (error) {
    if (error instanceof InvalidInputError && error.message.includes('map has no entry for key')) return text
    throw error
  }
}
